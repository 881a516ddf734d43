import type {
  IAddressResponse,
  IAdjustmentResponse,
  ICustomerResponse,
  IEventsResponse,
  IPriceResponse,
  IProductResponse,
  ISubscriptionResponse,
  ITransactionResponse,
} from '@paddle/paddle-node-sdk';

/** A card as far as it is kept. */
export interface SavedCard {
  readonly payment_method_id: string;
  readonly stored_payment_method_id: string;
  readonly last4: string;
  readonly cardholder_name: string;
}

/** A subscription with what Paddle knows of it beside what it tells. */
export interface KeptSubscription {
  entity: ISubscriptionResponse;
  /** What billing dates are counted from, a moment. */
  anchor: string;
  card: SavedCard;
  /** The checkout that made it. */
  transaction_id: string;
  /** Where its later checkouts open, without the transaction. */
  link: string | null;
  /** What the customer is owed and does not pay next time (minor units). */
  credit: number;
  /** What is charged with the next renewal, beside the items (minor units). */
  carried: number;
}

/** A delivery of an event that is still to be made. */
export interface WaitingDelivery {
  readonly event_id: string;
  tries: number;
  /** UTC ms of the machine's clock. */
  due: number;
}

/** What goes wrong, as somebody asked for at the panel. */
export interface SandboxFaults {
  declinesNextCharge: boolean;
  /** The code that the next change of a subscription is refused with, 409. */
  locksNextUpdate: string | null;
  losesNextDelivery: boolean;
  reversesNextDeliveries: boolean;
  holdsDeliveries: boolean;
  /** Until when the API does not work (UTC ms of the machine's clock). */
  down: { readonly until: number; readonly how: 'refuses' | 'hangs' } | null;
}

/** Everything that is kept: a plain object, as it is written to the file. */
export interface SandboxState {
  /** The last moment that was given out (UTC microseconds). */
  latest: number;
  invoices: number;
  products: Record<string, IProductResponse>;
  prices: Record<string, IPriceResponse>;
  customers: Record<string, ICustomerResponse>;
  addresses: Record<string, IAddressResponse>;
  transactions: Record<string, ITransactionResponse>;
  subscriptions: Record<string, KeptSubscription>;
  adjustments: Record<string, IAdjustmentResponse>;
  /** As they happened. */
  events: IEventsResponse[];
  deliveries: WaitingDelivery[];
  faults: SandboxFaults;
}

export const emptyState = (): SandboxState => ({
  latest: 0,
  invoices: 0,
  products: {},
  prices: {},
  customers: {},
  addresses: {},
  transactions: {},
  subscriptions: {},
  adjustments: {},
  events: [],
  deliveries: [],
  faults: {
    declinesNextCharge: false,
    locksNextUpdate: null,
    losesNextDelivery: false,
    reversesNextDeliveries: false,
    holdsDeliveries: false,
    down: null,
  },
});

import type { PublicConfig } from '#contract/identity.ts';
import type { AccountScope } from '../kernel/access.ts';

/** Who takes the money: the port that a payment provider fills. */
export interface PaymentProvider {
  readonly kind: PublicConfig['billing']['kind'];
  /** Ends at once what an account pays for. Called before the account is deleted; doing it again changes nothing. */
  cancel(scope: AccountScope): Promise<void>;
}

/** Nobody pays here: there is nothing to end, and no trial runs out. */
export const NO_PAYMENT_PROVIDER: PaymentProvider = { kind: 'none', cancel: async () => undefined };

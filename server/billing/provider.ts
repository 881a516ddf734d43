import type { PublicConfig } from '#contract/identity.ts';
import type { AccountScope } from '../kernel/access.ts';

/** The port to a payment provider. */
export interface PaymentProvider {
  readonly kind: PublicConfig['billing']['kind'];
  /** Ends at once what an account pays for. Called before the account is deleted; doing it again changes nothing. */
  cancel(scope: AccountScope): Promise<void>;
}

/** For an installation where nobody pays: there is no payment to cancel, and no trial ends. */
export const NO_PAYMENT_PROVIDER: PaymentProvider = { kind: 'none', cancel: async () => undefined };

import { type Environment, LogLevel, Paddle } from '@paddle/paddle-node-sdk';
import { refusal } from '#contract/core/errors.ts';
import type { PaddleKey } from '../../platform/config/billing.ts';
import type { Choice, Price } from '../port.ts';
import type { Calls } from './calls.ts';

/** Opens Paddle's library, for Paddle or the stand-in. */
export const openPaddle = ({ apiKey, environment }: PaddleKey): Paddle =>
  // The library also accepts a URL as its environment.
  new Paddle(apiKey, { environment: environment as Environment, logLevel: LogLevel.none });

/** Paddle's library, how it is called, and the prices in the settings. */
export interface PaddleClient extends Calls {
  readonly paddle: Paddle;
  readonly prices: readonly Price[];
}

/** Returns the price of a plan; refuses `conflict` if there is none. */
export function priceFor({ prices }: PaddleClient, { plan, paymentFrequency }: Choice, hasTrial = false): Price {
  const match = prices.find((price) => price.plan === plan && price.paymentFrequency === paymentFrequency && price.hasTrial === hasTrial);
  if (!match) throw refusal('conflict', 'This plan isn’t for sale here.');
  return match;
}

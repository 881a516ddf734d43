import type { FastifyInstance } from 'fastify';
import type { PublicConfig } from '#contract/identity.ts';
import type { TellMail } from '../events.ts';
import type { Doorkeeper } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Transaction } from '../kernel/database.ts';
import type { ReadPerson } from './doorkeeper.ts';
import { openEmbedded } from './embedded.ts';
import type { People } from './people.ts';

/** The user pool: the product's own, or Amazon Cognito. */
export interface Identity extends People {
  addRoutes(http: FastifyInstance): void;
  readonly doorkeeper: Doorkeeper;
  /** What a page needs to sign in. The product's own pool has an endpoint: a path of this site. */
  readonly config: PublicConfig['identity'];
  stop(): void;
}

export type IdentityKernel = Pick<Kernel, 'config' | 'database' | 'log' | 'now' | 'random'>;

export interface IdentityOptions {
  readonly person: ReadPerson;
  readonly tell: TellMail;
  /** Lets the team's list know that somebody signs in with another address now, in the transaction that made it so. */
  readonly readdress?: (db: Transaction, changed: { userId: string; accountId: string; email: string }) => Promise<void>;
}

export async function openIdentity(kernel: IdentityKernel, options: IdentityOptions): Promise<Identity> {
  const { cognito } = kernel.config;
  if (!cognito) return openEmbedded(kernel, options);
  // Who has an own pool never loads the SDK.
  const { openGateway } = await import('./gateway.ts');
  return openGateway(kernel, { ...options, cognito });
}

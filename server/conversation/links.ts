import type { Platform } from '../platform/context.ts';
import { sha256 } from '../platform/sha256.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

const KEY_BYTES = 16;
const CONTEXT = 'conversation';
export const REPLY_ROUTE = '/reply/';

export type ConversationLinks = ReturnType<typeof openConversationLinks>;

/** Links to a visitor's private page. Each has a key of its own, of which the database has the hash. */
export function openConversationLinks({ secret, random, config }: Pick<Platform, 'secret' | 'random' | 'config'>) {
  const cipher = secret.cipher('conversation links');
  return {
    /** Creates a link to a conversation, and returns its address. Lock the conversation first. */
    async create(scope: AccountScope, feedbackId: string): Promise<string> {
      const key = Buffer.from(random(KEY_BYTES)).toString('base64url');
      await store.addKey(scope, feedbackId, sha256(key));
      return config.publicUrl + REPLY_ROUTE + cipher.encrypt(`${scope.accountId} ${key}`, CONTEXT).toString('base64url');
    },
    /** Returns the account and the hashed key in an address; undefined for one that this installation didn't create. */
    open(sealed: string): { readonly accountId: string; readonly hash: Buffer } | undefined {
      const [accountId, key] = cipher.decrypt(Buffer.from(sealed, 'base64url'), CONTEXT)?.split(' ') ?? [];
      return accountId !== undefined && key !== undefined ? { accountId, hash: sha256(key) } : undefined;
    },
  };
}

import { formPath } from '#contract/form/form-page.ts';
import { LANGUAGE_TAGS, type LanguageTag } from '#contract/language/languages.ts';
import { openVisitKeys } from '../form/form.ts';
import type { Platform } from '../platform/context.ts';
import { sha256 } from '../platform/sha256.ts';

export const STOP_ROUTE = '/stop/';

/** A recipient's wish to get no more requests, as their link contains it. */
export interface StopEntry {
  readonly accountId: string;
  readonly requestId: string;
  readonly emailHash: Buffer;
  readonly language: LanguageTag;
}

export type RequestLinks = ReturnType<typeof openRequestLinks>;

/** Links in feedback requests. They are derived from the installation's secret, so nothing that opens one is stored. */
export function openRequestLinks({ secret, config }: Pick<Platform, 'secret' | 'config'>) {
  const cipher = secret.cipher('feedback requests: stop');
  const visitKeys = openVisitKeys(secret);
  return {
    /** Returns the key of the answer to a request. */
    answerKey: (formId: string, requestId: string): string => visitKeys.of(formId, requestId),
    /** Returns the URL of a form that chooses a face and answers with this key. */
    answerUrl: (formId: string, link: Parameters<typeof formPath>[1]): string => config.publicUrl + formPath(formId, link),
    /** Returns the URL of the page where the recipient unsubscribes. It never expires. */
    stopUrl({ accountId, requestId, emailHash, language }: StopEntry): string {
      const plain = [accountId, requestId, emailHash.toString('base64url'), language].join(' ');
      return config.publicUrl + STOP_ROUTE + cipher.encrypt(plain, STOP_ROUTE).toString('base64url');
    },
    /** Returns the entry that a link was created for; undefined for an invalid one. */
    readStop(key: string): StopEntry | undefined {
      const [accountId, requestId, hash, language] = cipher.decrypt(Buffer.from(key, 'base64url'), STOP_ROUTE)?.split(' ') ?? [];
      if (accountId === undefined || requestId === undefined || hash === undefined) return undefined;
      return {
        accountId,
        requestId,
        emailHash: Buffer.from(hash, 'base64url'),
        language: LANGUAGE_TAGS.find((tag) => tag === language) ?? 'en',
      };
    },
  };
}

/** Returns the hash of an account and an address, so that an address has a different hash in each account. */
export const addressHash = (accountId: string, email: string): Buffer => sha256(`${accountId} ${email}`);

import type { NoticeKind } from '#contract/notification/notification.ts';
import type { AccountScope } from '../tenancy/access.ts';

/** Something that people are told behind the bell, each of them once for its kind and cause. */
interface Notice {
  readonly to: readonly string[];
  readonly kind: NoticeKind;
  /** The id of the feedback, the comment or the event that it follows from. */
  readonly cause: string;
  readonly feedbackId?: string;
  readonly webhookId?: string;
  /** The teammate who caused it. */
  readonly by?: string;
  readonly count?: number;
}

/** Tells people behind the bell, if the transaction commits. Whoever was told already is not told again. */
export type Notify = (scope: AccountScope, notice: Notice) => Promise<void>;

/** What a device shows: something that its person was told, all urgent feedback that nobody has opened, or a test. */
export type PushSubject = Pick<Notice, 'kind' | 'cause'> | { readonly kind: 'digest' } | { readonly kind: 'test' };

/** Shows it on a person's devices, if the transaction commits and it is unread when it leaves. `reason` is the event that it is about. */
export type Ring = (
  scope: AccountScope,
  push: { readonly to: string; readonly reason: string; readonly about: PushSubject },
) => Promise<void>;

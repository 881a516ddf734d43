import type { Conversation, Reach } from '#contract/conversation/conversation.ts';
import { MOST_MESSAGES } from '#contract/conversation/messages.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { piecesOf } from '#contract/language/translate.ts';
import { t } from '../../../language.ts';

/** What the feedback alone says about its conversation, to reserve its space while it loads. */
type ReplyForecast = 'messages' | 'field' | 'line';

/** Returns what to expect: messages, an empty field for a visitor with an email address, or one line. */
export function forecast({ reply, contact }: Pick<Feedback['data'], 'reply' | 'contact'>): ReplyForecast {
  if (reply === 'asked' || (reply === undefined && contact?.email !== undefined)) return 'field';
  return reply === undefined ? 'line' : 'messages';
}

/** Returns how a reply reaches the visitor, as a sentence. */
export function reachWords(reach: readonly Reach[]): string {
  if (!reach.includes('email')) return t('The visitor sees this on their private page.');
  return reach.includes('page') ? t('The visitor sees this on their private page, and by email.') : t('The visitor gets this by email.');
}

const unreachable = (): string => t('This visitor left no email address and didn’t ask for a private page, so a reply can’t reach them.');

/** Returns a sentence with the number, marked as `phone`. */
export const callWords = (phone: string): string => t('You can call them: <phone>{phone}</phone>.', { phone });

/** Returns why the team can't write, except that the conversation is closed; undefined if it can. */
export function obstacle({ reach, messages }: Pick<Conversation, 'reach' | 'messages'>, email?: string): string | undefined {
  if (messages.length >= MOST_MESSAGES) return t('A conversation has at most {count} messages.', { count: MOST_MESSAGES });
  if (reach.length > 0) return undefined;
  if (messages.length > 0) return t('The visitor’s link has expired, so a reply can’t reach them.');
  return email === undefined
    ? unreachable()
    : t('We can’t send email to this visitor’s address, and they didn’t ask for a private page, so a reply can’t reach them.');
}

/** Returns the text shown for most feedback, so that its space can be reserved. */
export function usualText(phone: string | undefined): string {
  const call = phone === undefined ? [] : [' ', ...piecesOf(callWords(phone), ['phone']).map(({ text }) => text)];
  return [unreachable(), ...call].join('');
}

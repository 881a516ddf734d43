import { MENTION } from '#contract/comment/mention.ts';
import { folded } from '#contract/feedback/search.ts';
import type { User } from '#contract/user/user.ts';
import { t } from '../../../language.ts';

/* Comments store teammates' ids, so that a rename applies to them; readers and writers see names. */

/** Matches a character that continues a name: "@Sam Lee," mentions Sam Lee, and "@Sam Leeds" does not. */
const PART_OF_NAME = /[\p{L}\p{M}\p{N}]/u;
/** The longest name followed by an email (characters). */
const LONGEST = 80;

/** Returns the name to type for a teammate, followed by their email if two people share it. */
export function mentionName(user: User, team: readonly User[]): string {
  const { displayName, emailAddress } = user.data;
  const isShared = team.some(({ id, data }) => id !== user.id && data.displayName === displayName);
  return isShared ? `${displayName} (${emailAddress})` : displayName;
}

/** Returns the text with ids in place of names, for sending. */
export function withIds(typed: string, team: readonly User[]): string {
  const names = team
    .map((user) => ({ id: user.id, name: mentionName(user, team) }))
    // Longest first, so that "Sam Lee" is tried before "Sam".
    .sort((a, b) => b.name.length - a.name.length);
  return typed
    .split(/(?<![\p{L}\p{M}\p{N}])(?=@)/u)
    .map((part) => {
      const person = part.startsWith('@') ? names.find(({ name }) => startsWithName(part.slice(1), name)) : undefined;
      return person ? `@${person.id}${part.slice(1 + person.name.length)}` : part;
    })
    .join('');
}

const startsWithName = (text: string, name: string): boolean =>
  text.slice(0, name.length).toLowerCase() === name.toLowerCase() && !PART_OF_NAME.test(text.charAt(name.length));

/** Returns the text with names in place of ids, for editing. */
export const withNames = (stored: string, team: readonly User[]): string =>
  partsOf(stored, team)
    .map(({ text }) => text)
    .join('');

interface CommentPart {
  readonly text: string;
  readonly isMention: boolean;
}

/** Splits a stored text into plain text and mentions, for display. */
export function partsOf(stored: string, team: readonly User[]): CommentPart[] {
  return stored
    .split(MENTION)
    .map((text, index) => (index % 2 === 0 ? { text, isMention: false } : { text: `@${nameOf(text, team)}`, isMention: true }))
    .filter(({ text }) => text !== '');
}

function nameOf(id: string, team: readonly User[]): string {
  const user = team.find((each) => each.id === id);
  return user ? mentionName(user, team) : t('former teammate');
}

/** A mention being typed: the position of its `@`, and the text from there to the caret. */
export interface MentionDraft {
  readonly at: number;
  readonly typed: string;
}

/** Returns the unfinished mention before the caret, if there is one. */
export function mentionAtCaret(text: string, caret: number): MentionDraft | undefined {
  const before = text.slice(0, caret);
  const [, typed] = /(?<![\p{L}\p{M}\p{N}])@([^@\n]*)$/u.exec(before) ?? [];
  return typed === undefined || typed.length > LONGEST ? undefined : { at: before.length - typed.length - 1, typed };
}

const MOST_SUGGESTED = 6;

/** Returns teammates with a name, or a word in it, that starts with the text. Leaves out people who haven't accepted their invitation. */
export function suggestionsFor(typed: string, team: readonly User[], ownId: string): User[] {
  const query = folded(typed);
  return team
    .filter(({ id, data }) => id !== ownId && !data.invited)
    .filter((user) => {
      const name = folded(mentionName(user, team));
      return name !== query && (name.startsWith(query) || name.split(' ').some((word) => word.startsWith(query)));
    })
    .slice(0, MOST_SUGGESTED);
}

import { MENTION } from '#contract/comment/comment.ts';
import type { User } from '#contract/user/user.ts';

/* A comment stores teammates by their ids, so that a rename reaches it; whoever reads or writes one sees names. */

const FORMER = 'former teammate';
/** What ends a name: "@Sam Lee," mentions Sam Lee, and "@Sam Leeds" does not. */
const PART_OF_NAME = /[\p{L}\p{M}\p{N}]/u;
/** The longest name with the address behind it (characters). */
const LONGEST = 80;

/** The name that a teammate is typed by. Two of one name are told apart by their email. */
export function mentionName(user: User, team: readonly User[]): string {
  const { displayName, emailAddress } = user.data;
  const isShared = team.some(({ id, data }) => id !== user.id && data.displayName === displayName);
  return isShared ? `${displayName} (${emailAddress})` : displayName;
}

/** The text with ids in place of names, as it is sent. */
export function withIds(typed: string, team: readonly User[]): string {
  const names = team
    .map((user) => ({ id: user.id, name: mentionName(user, team) }))
    // "Sam Lee" before "Sam", which it begins with.
    .sort((one, other) => other.name.length - one.name.length);
  return typed
    .split(/(?<![\p{L}\p{M}\p{N}])(?=@)/u)
    .map((part) => {
      const found = part.startsWith('@') ? names.find(({ name }) => begins(part.slice(1), name)) : undefined;
      return found ? `@${found.id}${part.slice(1 + found.name.length)}` : part;
    })
    .join('');
}

const begins = (text: string, name: string): boolean =>
  text.slice(0, name.length).toLowerCase() === name.toLowerCase() && !PART_OF_NAME.test(text.charAt(name.length));

/** The text with names in place of ids, as it is typed. */
export const withNames = (stored: string, team: readonly User[]): string =>
  partsOf(stored, team)
    .map(({ text }) => text)
    .join('');

interface CommentPart {
  readonly text: string;
  readonly isMention: boolean;
}

/** A stored text as it is read: words, and names of teammates. */
export function partsOf(stored: string, team: readonly User[]): CommentPart[] {
  return stored
    .split(MENTION)
    .map((text, place) => (place % 2 === 0 ? { text, isMention: false } : { text: `@${nameOf(text, team)}`, isMention: true }))
    .filter(({ text }) => text !== '');
}

function nameOf(id: string, team: readonly User[]): string {
  const user = team.find((each) => each.id === id);
  return user ? mentionName(user, team) : FORMER;
}

/** A name that is being typed: where its `@` stands, and what follows it up to the caret. */
export interface BegunMention {
  readonly at: number;
  readonly typed: string;
}

/** The mention that the caret stands at the end of, if it may be one. */
export function begunMention(text: string, caret: number): BegunMention | undefined {
  const before = text.slice(0, caret);
  const [, typed] = /(?<![\p{L}\p{M}\p{N}])@([^@\n]*)$/u.exec(before) ?? [];
  return typed === undefined || typed.length > LONGEST ? undefined : { at: before.length - typed.length - 1, typed };
}

const MOST_SUGGESTED = 6;

/** Teammates whose name, or a later word of it, begins so. Whoever was invited and has not come is not asked yet. */
export function suggestionsFor(typed: string, team: readonly User[], ownId: string): User[] {
  const wanted = typed.toLowerCase();
  return team
    .filter(({ id, data }) => id !== ownId && !data.invited)
    .filter((user) => {
      const name = mentionName(user, team).toLowerCase();
      return name !== wanted && (name.startsWith(wanted) || name.split(' ').some((word) => word.startsWith(wanted)));
    })
    .slice(0, MOST_SUGGESTED);
}

import { folded } from '#contract/feedback/search.ts';
import { translatable } from '#contract/language/translate.ts';
import type { Level, User } from '#contract/user/user.ts';

export const LEVEL_DESCRIPTIONS = translatable({
  admin: 'Also changes properties, forms, users and the account',
  user: 'Reads everything and works on feedback',
} satisfies Record<Level, string>);

/** Returns true for the only admin, who can't be removed or made a user (docs/rules.md#last-admin). Invited people don't count. */
export function isLastAdmin(users: readonly User[], person: User): boolean {
  const admins = users.filter(({ data }) => data.level === 'admin' && !data.invited);
  return admins.length === 1 && admins[0]?.id === person.id;
}

/** Returns the people whose name or email contains the text, regardless of case and accents. */
export function matching(users: readonly User[], search: string): readonly User[] {
  const query = folded(search.trim());
  return users.filter(({ data }) => folded(`${data.displayName}\n${data.emailAddress}`).includes(query));
}

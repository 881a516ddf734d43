import type { Level, User } from '#contract/user/user.ts';

export const LEVEL_DESCRIPTIONS: Record<Level, string> = {
  admin: 'Also changes properties, forms, users and the account',
  user: 'Reads everything and works on feedback',
};

/** The last admin can neither be removed nor made a user (docs/rules.md#last-admin). People who were invited and have not come do not count. */
export function isLastAdmin(users: readonly User[], person: User): boolean {
  const admins = users.filter(({ data }) => data.level === 'admin' && !data.invited);
  return admins.length === 1 && admins[0]?.id === person.id;
}

/** People whose name or email has this text in it. */
export function matching(users: readonly User[], search: string): readonly User[] {
  const wanted = search.trim().toLowerCase();
  return users.filter(({ data }) => `${data.displayName}\n${data.emailAddress}`.toLowerCase().includes(wanted));
}

import type { User } from '#contract/user.ts';

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

/** Whom to ask: "Dana Moss or Sam Lee". */
export function adminNames(users: readonly User[]): string {
  const names = users.filter(({ data }) => data.level === 'admin' && !data.invited).map(({ data }) => data.displayName);
  return names.length > 0 ? LIST.format(names) : 'an admin of your team';
}

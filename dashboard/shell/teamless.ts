import type { Team } from '../frame/team.ts';

const NOBODY = 'ACCOUNT_none';

/** What the frame shows of an operator who is of no business: their address, and nothing of a team. */
export function teamless({ userId = '', email }: { userId: string | undefined; email: string }): Omit<Team, 'isOperator' | 'signOut'> {
  const subscription = { status: 'inactive', phase: 'none' } as const;
  const person = { created: 0, createdBy: userId, displayName: email, emailAddress: email, level: 'user', accountId: NOBODY } as const;
  return {
    account: { id: NOBODY, sk: 'ACCOUNT', gs1sk: '0', data: { created: 0, displayName: 'Operator', subscription } },
    user: { id: userId, sk: 'USER', gs1sk: NOBODY, gs2pk: email, data: person },
    users: [],
    properties: [],
    isDemo: false,
    isTeamless: true,
  };
}

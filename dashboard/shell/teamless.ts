import type { Team } from '../frame/team.ts';
import { t } from '../language.ts';

const NO_ACCOUNT = 'ACCOUNT_none';

/** Returns an empty team for an operator without a business; the frame shows only their email. */
export function teamless({ userId = '', email }: { userId: string | undefined; email: string }): Omit<Team, 'isOperator' | 'signOut'> {
  const subscription = { status: 'inactive', phase: 'none' } as const;
  const person = { created: 0, createdBy: userId, displayName: email, emailAddress: email, level: 'user', accountId: NO_ACCOUNT } as const;
  return {
    account: { id: NO_ACCOUNT, sk: 'ACCOUNT', gs1sk: '0', data: { created: 0, displayName: t('Operator'), subscription } },
    user: { id: userId, sk: 'USER', gs1sk: NO_ACCOUNT, gs2pk: email, data: person },
    users: [],
    properties: [],
    isDemo: false,
    isTeamless: true,
  };
}

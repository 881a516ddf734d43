import { planFacts, useIsBilled } from '../../../frame/plan.ts';
import { adminNames, useTeam } from '../../../frame/team.ts';
import { Aside } from '../../../ui/Form.tsx';
import { DescriptionList } from '../../../ui/Page.tsx';

/** What the account pays. */
export function PlanPanel() {
  const { account, user, users, isTeamless } = useTeam();
  const isBilled = useIsBilled();
  if (!isBilled || isTeamless) return <Aside>Nothing is to be paid.</Aside>;
  return (
    <>
      <DescriptionList of={planFacts(account)} />
      {user.data.level !== 'admin' && <Aside>Only admins can change it. Ask {adminNames(users)}.</Aside>}
    </>
  );
}

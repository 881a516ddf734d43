import { Link } from '@tanstack/react-router';
import { usePanel } from '../../frame/panel.ts';
import { planFacts, useIsBilled } from '../../frame/plan/plan.ts';
import { TestMode } from '../../frame/plan/TestMode.tsx';
import { adminNames, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { day } from '../../ui/format/time.ts';
import { Aside } from '../../ui/forms/Form.tsx';
import { DescriptionList } from '../../ui/page/Page.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './AdministrationPage.module.css';
import { sizeFacts } from './size-facts.ts';

/** A summary of the account for every teammate, with a link to its page for admins. */
export function AccountPanel() {
  const team = useTeam();
  const { account, user, users, paths } = team;
  const { displayName, created } = account.data;
  const isBilled = useIsBilled();
  const { open, opener } = usePanel();
  const isAdmin = user.data.level === 'admin';
  return (
    <div className={styles['cards']}>
      <TestMode />
      <DescriptionList
        of={{ [t('Name')]: displayName, ...(isBilled && planFacts(account)), [t('Since')]: day(created), ...sizeFacts(team) }}
      />
      {isBilled && (
        <Button variant="default" onClick={() => open('plan', { opener: opener ?? 'main', isInPlace: true })}>
          {t('Plan and payments')}
        </Button>
      )}
      {isAdmin ? (
        <Button variant="default" component={Link} to={paths.administration}>
          {t('Open administration')}
        </Button>
      ) : (
        <>
          <Button variant="default" disabled aria-describedby="why-not-administration">
            {t('Open administration')}
          </Button>
          <div id="why-not-administration">
            <Aside>{t('Only admins can open it. Ask {names}.', { names: adminNames(users) })}</Aside>
          </div>
        </>
      )}
    </div>
  );
}

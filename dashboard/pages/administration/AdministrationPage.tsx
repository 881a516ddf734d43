import { costInWords } from '#contract/billing.ts';
import { AdminsOnly, DemoNote } from '../../frame/Access.tsx';
import { useTeam } from '../../frame/team.ts';
import { Card, Facts, Page } from '../../ui/Page.tsx';
import { day } from '../../ui/time.ts';
import styles from './Administration.module.css';
import { DeleteAccount } from './DeleteAccount.tsx';
import { Rename } from './Rename.tsx';

export const AdministrationPage = () => (
  <AdminsOnly>
    <Administration />
  </AdminsOnly>
);

/** What is the account's own. */
function Administration() {
  const { account } = useTeam();
  const { created, subscription } = account.data;
  const { plan, paymentFrequency, trialEndsAt } = subscription;
  return (
    <Page title="Administration">
      <div className={styles['cards']}>
        <DemoNote of="the account" />
        <Card title="Account">
          <Rename />
          <Facts of={{ 'Account id': account.id, Since: day(created) }} />
        </Card>
        <Card title="Plan">
          <Facts
            of={{
              Plan: plan ?? 'None',
              'Pay frequency': paymentFrequency,
              'Plan cost': plan && paymentFrequency && costInWords(plan, paymentFrequency),
              'Free trial': trialEndsAt === undefined ? undefined : `Until ${day(trialEndsAt)}`,
            }}
          />
        </Card>
        <DeleteAccount />
      </div>
    </Page>
  );
}

import { Fragment, type ReactNode } from 'react';
import { planFacts } from '../../../frame/plan/plan.ts';
import { TestMode } from '../../../frame/plan/TestMode.tsx';
import { adminNames, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { useNow } from '../../../ui/hooks.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { DescriptionList } from '../../../ui/page/Page.tsx';
import { BuyPlan } from './BuyPlan.tsx';
import { ChangePlan } from './ChangePlan.tsx';
import { Payments } from './Payments.tsx';
import { CancelPlan, ChangePayment, KeepPlan, PaymentPortal } from './PlanActions.tsx';
import styles from './PlanPanel.module.css';
import { type PlanAction, type PlanView, planViewOf } from './plan-view.ts';

/** The account's plan and payments, which admins can change. */
export function PlanPanel() {
  const { account, user, users } = useTeam();
  const view = planViewOf(account.data.subscription, useNow());
  return (
    <div className={styles['panel']}>
      <TestMode />
      <div className={styles['standing']} data-bad={view.isBad || undefined}>
        <h3>{view.title}</h3>
        {view.lead && <p>{view.lead}</p>}
      </div>
      <DescriptionList of={planFacts(account)} />
      {user.data.level === 'admin' ? (
        <ForAdmins view={view} />
      ) : (
        <Notice tone="plain">{t('Only admins can change the plan. Ask {names}.', { names: adminNames(users) })}</Notice>
      )}
    </div>
  );
}

function ForAdmins({ view: { buying, changing, actions, cancelMeans } }: { view: PlanView }) {
  const { plan, paymentFrequency } = useTeam().account.data.subscription;
  return (
    <>
      {actions.length > 0 && (
        <div className={styles['actions']}>
          {actions.map((action) => (
            <Fragment key={action}>{ACTIONS[action]()}</Fragment>
          ))}
        </div>
      )}
      {buying && <BuyPlan {...buying} />}
      {changing && <ChangePlan key={`${plan} ${paymentFrequency}`} {...changing} />}
      <Payments />
      {cancelMeans !== undefined && <CancelPlan plan={plan}>{cancelMeans}</CancelPlan>}
    </>
  );
}

const ACTIONS: Readonly<Record<PlanAction, () => ReactNode>> = {
  pay: () => <ChangePayment isDue />,
  keep: () => <KeepPlan>{t('Keep subscription')}</KeepPlan>,
  resume: () => <KeepPlan>{t('Resume')}</KeepPlan>,
  card: () => <ChangePayment isDue={false} />,
  portal: () => <PaymentPortal />,
};

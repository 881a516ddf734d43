import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/user/user.ts';
import { masterSecondFactorQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { type UseActionResult, useAction } from '../../data/useAction.ts';
import { useFreshSignIn } from '../../frame/security/FreshSignIn.tsx';
import { t } from '../../language.ts';
import { exactly } from '../../ui/format/time.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './AccountsPage.module.css';
import { useReason } from './useReason.tsx';

/** Requests a reset of a sole admin's two-step sign-in. It takes effect a day later, unless the person refuses it. */
export function OperatorReset({ person }: { person: User }) {
  const about = { accountId: person.data.accountId, userId: person.id };
  const { data } = useQuery(masterSecondFactorQuery(useSource(), about));
  const cancel = useAction('user', 'cancelSecondFactorReset', { allowNotFound: true });
  if (!data) return null;
  const { reset, secondFactor, isSoleAdmin } = data;
  return (
    <div className={styles['danger']}>
      <p>{secondFactor.isOn ? t('Two-step sign-in: on') : t('Two-step sign-in: off')}</p>
      {reset && (
        <>
          <Notice tone="plain">
            {t('{operator} requested a reset. It takes effect on {moment}, unless {name} refuses it.', {
              operator: reset.askedBy,
              moment: exactly(reset.due),
              name: person.data.displayName,
            })}
          </Notice>
          <Cancel cancel={cancel} onCancel={() => void cancel.run(about, () => toast(t('Reset withdrawn.')))} />
        </>
      )}
      {!reset &&
        secondFactor.isOn &&
        (isSoleAdmin ? <Request person={person} about={about} /> : <p>{t('An admin of the team can reset it.')}</p>)}
    </div>
  );
}

interface CancelProps {
  readonly cancel: Pick<UseActionResult<never, unknown>, 'isPending' | 'failure'>;
  readonly onCancel: () => void;
}

const Cancel = ({ cancel, onCancel }: CancelProps) => (
  <>
    <Button variant="default" loading={cancel.isPending} onClick={onCancel}>
      {t('Withdraw reset')}
    </Button>
    <Notice tone="bad">{cancel.failure}</Notice>
  </>
);

interface RequestProps {
  readonly person: User;
  readonly about: { readonly accountId: string; readonly userId: string };
}

function Request({ person: { data }, about }: RequestProps) {
  const [isAsking, asking] = useLayer('operator-reset');
  const { reason, ...reasonInput } = useReason();
  const request = useAction('user', 'requestSecondFactorReset');
  const fresh = useFreshSignIn(request, t('For your safety, enter your password to request the reset.'));

  function onRequested(): void {
    asking.close();
    toast(t('Reset requested. It takes effect in 24 hours.'));
  }

  return (
    <>
      <Button variant="default" onClick={asking.open}>
        {t('Reset two-step sign-in')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Reset two-step sign-in for {name}?', { name: data.displayName })}
        inputs={[reasonInput, fresh]}
        action={{
          ...fresh.action,
          label: t('Request reset'),
          run: () => void fresh.run(() => request.run({ ...about, reason }, onRequested)),
        }}
      >
        {t(
          '{name} is the team’s only admin. We’ll email {email} now, with a link to refuse. After 24 hours, two-step sign-in is turned off and {name} is signed out everywhere.',
          { name: data.displayName, email: data.emailAddress },
        )}
      </ConfirmDialog>
    </>
  );
}

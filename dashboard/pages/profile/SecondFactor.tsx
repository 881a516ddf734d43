import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BACKUP_CODES } from '#contract/identity/identity.ts';
import { messageOf } from '../../data/errors.ts';
import { secondFactorQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { BackupCodes } from '../../frame/security/BackupCodes.tsx';
import { useFreshSignIn } from '../../frame/security/FreshSignIn.tsx';
import { SecondFactorSetUp } from '../../frame/security/SecondFactorSetUp.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { totpQuery, usePoolAction } from '../../session/pool.ts';
import { useFocusOnStep } from '../../ui/hooks.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { Button, useDisclosure } from '../../ui/theme/mantine.ts';
import styles from './ProfilePage.module.css';

/** Sets up two-step sign-in with an authenticator app and backup codes. */
export function SecondFactor() {
  const { isDemo } = useTeam();
  const { data: isOn, error } = useQuery({ ...totpQuery, enabled: !isDemo });
  const [isSettingUp, setUp] = useDisclosure();
  const [isEnding, ending] = useLayer('end-second-factor');
  const card = useFocusOnStep<HTMLDivElement>(isOn === undefined ? undefined : `${isSettingUp} ${isOn}`);

  function onSetUp(): void {
    setUp.close();
    toast(t('Two-step sign-in is on.'));
  }

  return (
    <div ref={card}>
      <Card
        title={t('Two-step sign-in')}
        lead={isOn ? t('On. We’ll ask for a code from your authenticator app.') : t('Off. Your password alone signs you in.')}
        action={
          !isSettingUp && (
            <Button variant="default" disabled={isDemo || isOn === undefined} onClick={isOn ? ending.open : setUp.open}>
              {isOn ? t('Turn off') : t('Set up')}
            </Button>
          )
        }
      >
        {isSettingUp && <SecondFactorSetUp onDone={onSetUp} onLeave={setUp.close} />}
        {isOn && !isSettingUp && <OwnBackupCodes />}
        {error && <Notice tone="bad">{messageOf(error)}</Notice>}
        <TurnOff isOpen={isEnding} onClose={ending.close} />
      </Card>
    </div>
  );
}

function TurnOff({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const end = usePoolAction('endTotp');
  const fresh = useFreshSignIn(end, t('For your safety, enter your password to turn it off.'));

  function onEnded(): void {
    onClose();
    toast(t('Two-step sign-in is off.'));
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('Turn off two-step sign-in?')}
      inputs={[fresh]}
      action={{ ...fresh.action, label: t('Turn off'), run: () => void fresh.run(() => end.run(undefined, onEnded)) }}
    >
      {t('Your password alone will then open your account. Your backup codes stop working.')}
    </ConfirmDialog>
  );
}

/** From this many codes down, a notice suggests creating new ones. */
const FEW = 3;

/** The number of backup codes left, with a button to replace them. */
function OwnBackupCodes() {
  const { user } = useTeam();
  const { data: secondFactor } = useQuery(secondFactorQuery(useSource(), user.id));
  const [created, setCreated] = useState<readonly string[]>();
  const [isAsking, asking] = useLayer('new-backup-codes');
  const create = useAction('user', 'makeBackupCodes');
  const fresh = useFreshSignIn(create, t('For your safety, enter your password to create new backup codes.'));
  const left = secondFactor?.backupCodes ?? undefined;
  const part = useFocusOnStep<HTMLDivElement>(created === undefined);

  function onCreated(codes: readonly string[]): void {
    asking.close();
    setCreated(codes);
  }

  if (secondFactor?.backupCodes === null)
    return <p className={styles['hint']}>{t('If you lose your phone, an admin of your team can reset your two-step sign-in.')}</p>;
  if (left === undefined) return null;
  return (
    <div ref={part} className={styles['codes']}>
      {created ? (
        <BackupCodes codes={created} onKept={() => setCreated(undefined)} />
      ) : (
        <>
          {left <= FEW && (
            <Notice tone="plain">
              {left === 0 ? t('You have no backup codes.') : t('You’re running out of backup codes.')}{' '}
              {t('Without one, losing your phone locks you out.')}
            </Notice>
          )}
          <p>{t('Backup codes: {left} of {total} left. Each signs you in once without your phone.', { left, total: BACKUP_CODES })}</p>
          <Button variant="default" onClick={asking.open}>
            {t('Create new backup codes')}
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Create new backup codes?')}
        inputs={[fresh]}
        action={{
          ...fresh.action,
          label: t('Create new codes'),
          isHarmless: true,
          run: () => void fresh.run(() => create.run({}, ({ codes }) => onCreated(codes))),
        }}
      >
        {t('Your existing codes stop working.')}
      </ConfirmDialog>
    </div>
  );
}

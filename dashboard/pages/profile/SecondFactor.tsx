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
import { totpQuery, usePoolAction } from '../../session/pool.ts';
import { useFocusOnStep } from '../../ui/hooks.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { Button, useDisclosure } from '../../ui/theme/mantine.ts';
import styles from './ProfilePage.module.css';

/** A code of an app beside the password, and the codes that stand in for a lost app. */
export function SecondFactor() {
  const { isDemo } = useTeam();
  const { data: isOn, error } = useQuery({ ...totpQuery, enabled: !isDemo });
  const [isSettingUp, setUp] = useDisclosure();
  const [isEnding, ending] = useLayer('end-second-factor');
  const card = useFocusOnStep<HTMLDivElement>(isOn === undefined ? undefined : `${isSettingUp} ${isOn}`);

  function finished(): void {
    setUp.close();
    toast('Two-step sign-in is on.');
  }

  return (
    <div ref={card}>
      <Card
        title="Two-step sign-in"
        lead={isOn ? 'On. We’ll ask for a code from your authenticator app.' : 'Off. Your password alone signs you in.'}
        action={
          !isSettingUp && (
            <Button variant="default" disabled={isDemo || isOn === undefined} onClick={isOn ? ending.open : setUp.open}>
              {isOn ? 'Turn off' : 'Set up'}
            </Button>
          )
        }
      >
        {isSettingUp && <SecondFactorSetUp onDone={finished} onLeave={setUp.close} />}
        {isOn && !isSettingUp && <OwnBackupCodes />}
        {error && <Notice tone="bad">{messageOf(error)}</Notice>}
        <TurnOff isOpen={isEnding} onClose={ending.close} />
      </Card>
    </div>
  );
}

function TurnOff({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const end = usePoolAction('endTotp');
  const fresh = useFreshSignIn(end, 'to turn it off');

  function ended(): void {
    onClose();
    toast('Two-step sign-in is off.');
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Turn off two-step sign-in?"
      verb="Turn off"
      action={fresh.action}
      fields={fresh.fields}
      isBlocked={fresh.missing !== undefined}
      onConfirm={() => void fresh.run(() => end.run(undefined, ended))}
    >
      Your password alone will then open your account. Your backup codes stop working.
    </ConfirmDialog>
  );
}

/** So few are a reason to make new ones. */
const FEW = 3;

/** How many backup codes are left, and new ones in their place. */
function OwnBackupCodes() {
  const { user } = useTeam();
  const { data: standing } = useQuery(secondFactorQuery(useSource(), user.id));
  const [made, setMade] = useState<readonly string[]>();
  const [isAsking, asking] = useLayer('new-backup-codes');
  const make = useAction('user', 'makeBackupCodes');
  const fresh = useFreshSignIn(make, 'to make new backup codes');
  const left = standing?.backupCodes ?? undefined;
  const part = useFocusOnStep<HTMLDivElement>(made === undefined);

  function shown(codes: readonly string[]): void {
    asking.close();
    setMade(codes);
  }

  if (standing?.backupCodes === null)
    return <p className={styles['hint']}>If you lose your phone, an admin of your team can reset your two-step sign-in.</p>;
  if (left === undefined) return null;
  return (
    <div ref={part} className={styles['codes']}>
      {made ? (
        <BackupCodes codes={made} onKept={() => setMade(undefined)} />
      ) : (
        <>
          {left <= FEW && (
            <Notice tone="plain">
              {left === 0 ? 'You have no backup codes.' : 'You are running out of backup codes.'} Without one, losing your phone locks you
              out.
            </Notice>
          )}
          <p>
            Backup codes: {left} of {BACKUP_CODES} left. Each signs you in once without your phone.
          </p>
          <Button variant="default" onClick={asking.open}>
            Make new backup codes
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title="Make new backup codes?"
        verb="Make new codes"
        isHarmless
        action={fresh.action}
        fields={fresh.fields}
        isBlocked={fresh.missing !== undefined}
        onConfirm={() => void fresh.run(() => make.run({}, ({ codes }) => shown(codes)))}
      >
        Your existing codes stop working.
      </ConfirmDialog>
    </div>
  );
}

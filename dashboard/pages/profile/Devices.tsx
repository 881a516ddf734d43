import { useQuery } from '@tanstack/react-query';
import type { Session } from '#contract/user/user.ts';
import { messageOf } from '../../data/errors.ts';
import { sessionsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { devicesQuery, usePoolAction } from '../../session/pool.ts';
import type { RememberedDevice } from '../../session/pool-actions.ts';
import { moment } from '../../ui/format/time.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { SpokenLabel } from '../../ui/Rich.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { deviceLabel, networkLabel } from './device.ts';
import styles from './ProfilePage.module.css';

/** The trusted browsers: strangers' wrong passwords don't lock you out there. */
export function TrustedBrowsers() {
  const { isDemo } = useTeam();
  const { data: devices, error } = useQuery({ ...devicesQuery, enabled: !isDemo });
  const forget = usePoolAction('forgetDevice');
  const remember = usePoolAction('rememberThisDevice');
  const failure = forget.failure ?? remember.failure ?? (error && messageOf(error));

  return (
    <Card
      title={t('Trusted browsers')}
      lead={t('You can still sign in from these if someone else locks your account with wrong passwords.')}
    >
      {devices && devices.length > 0 && (
        <ul className={styles['devices']}>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} isPending={forget.isPending} onForget={() => void forget.run(device)} />
          ))}
        </ul>
      )}
      {devices && !devices.some(({ isThis }) => isThis) && (
        <div>
          <Button variant="default" loading={remember.isPending} onClick={() => void remember.run(undefined)}>
            {t('Trust this browser')}
          </Button>
        </div>
      )}
      <Notice tone="bad">{failure}</Notice>
    </Card>
  );
}

function SignOutEverywhere({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const signOut = usePoolAction('signOut');
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('Sign out everywhere?')}
      action={{ ...signOut, label: t('Sign out everywhere'), run: () => void signOut.run({ allDevices: true }) }}
    >
      {t('Every browser where you’re signed in asks for your password again, including this one.')}
    </ConfirmDialog>
  );
}

function DeviceRow({
  device: { name, lastUsed, isThis },
  isPending,
  onForget,
}: {
  device: RememberedDevice;
  isPending: boolean;
  onForget: () => void;
}) {
  return (
    <li>
      <div>
        {deviceLabel(name)}
        <span>{usedLast(isThis, lastUsed)}</span>
      </div>
      <Button size="compact-sm" variant="default" disabled={isPending} onClick={onForget}>
        <SpokenLabel text={t('Stop trusting<spoken> {device}</spoken>', { device: deviceLabel(name) })} />
      </Button>
    </li>
  );
}

function usedLast(isThis: boolean, lastUsed: number | undefined): string {
  if (lastUsed === undefined) return isThis ? t('This browser') : '';
  const used = { moment: moment(lastUsed) };
  return isThis ? t('This browser · last sign-in {moment}', used) : t('Last used {moment}', used);
}

/** Your sessions, each with a button to end it. Shows a note if the pool can't list them. */
export function Sessions() {
  const { isDemo } = useTeam();
  const { data: sessions, error } = useQuery({ ...sessionsQuery(useSource()), enabled: !isDemo });
  const end = useAction('user', 'endSession', { allowNotFound: true });
  const [isLeaving, leaving] = useLayer('leave-sessions');

  return (
    <Card
      title={t('Where you’re signed in')}
      action={
        <Button variant="default" disabled={isDemo} onClick={leaving.open}>
          {t('Sign out everywhere')}
        </Button>
      }
    >
      {sessions?.length === 0 && (
        <p className={styles['hint']}>{t('This browser is signed in. Your sign-in service doesn’t list your other browsers.')}</p>
      )}
      {sessions && sessions.length > 0 && (
        <ul className={styles['devices']}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isPending={end.isPending}
              onEnd={() => void end.run({ sessionId: session.id })}
            />
          ))}
        </ul>
      )}
      {(error || end.failure) && <Notice tone="bad">{end.failure ?? messageOf(error)}</Notice>}
      <SignOutEverywhere isOpen={isLeaving} onClose={leaving.close} />
    </Card>
  );
}

interface SessionRowProps {
  readonly session: Session;
  readonly isPending: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session: { device = '', network, lastUsed, isCurrent }, isPending, onEnd }: SessionRowProps) {
  return (
    <li>
      <div>
        {deviceLabel(device)}
        <span>
          {isCurrent ? t('This browser') : t('Last used {moment}', { moment: moment(lastUsed) })}
          {network !== '' && ` · ${networkLabel(network)}`}
        </span>
      </div>
      {!isCurrent && (
        <Button size="compact-sm" variant="default" disabled={isPending} onClick={onEnd}>
          <SpokenLabel text={t('Sign out<spoken> of {device}</spoken>', { device: deviceLabel(device) })} />
        </Button>
      )}
    </li>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Session } from '#contract/user.ts';
import { inWords } from '../../data/errors.ts';
import { sessionsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import { moment } from '../../ui/time.ts';
import { deviceName } from './device.ts';
import styles from './Profile.module.css';

/** Where one is signed in, and the way out of each of them. */
export function Sessions() {
  const { isDemo } = useTeam();
  const { data: sessions, error } = useQuery({ ...sessionsQuery(useSource()), enabled: !isDemo });
  const end = useAction('user', 'endSession', { mayBeGone: true });

  return (
    <Card title="Sessions" lead="Where you are signed in">
      {sessions && (
        <ul className={styles['devices']}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} isBusy={end.isPending} onEnd={() => void end.run({ sessionId: session.id })} />
          ))}
        </ul>
      )}
      {(error || end.failure) && <Notice tone="bad">{end.failure ?? inWords(error)}</Notice>}
    </Card>
  );
}

interface SessionRowProps {
  readonly session: Session;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session: { device = '', network, lastUsed, isCurrent }, isBusy, onEnd }: SessionRowProps) {
  return (
    <li>
      <div>
        {deviceName(device)}
        <span>
          {isCurrent ? 'This browser' : `Last used ${moment(lastUsed)}`} · network {network}
        </span>
      </div>
      {!isCurrent && (
        <Button size="compact-sm" variant="default" disabled={isBusy} onClick={onEnd}>
          Sign out<span className="visually-hidden"> of {deviceName(device)}</span>
        </Button>
      )}
    </li>
  );
}

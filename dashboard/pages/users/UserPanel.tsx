import type { User } from '#contract/user.ts';
import { useTeam } from '../../frame/team.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Facts } from '../../ui/Page.tsx';
import { LEVEL_LABELS, Portrait } from '../../ui/Portrait.tsx';
import { day } from '../../ui/time.ts';
import { LevelForm } from './LevelForm.tsx';
import { RemoveUser } from './RemoveUser.tsx';
import { isLastAdmin } from './rules.ts';
import styles from './UserPanel.module.css';

interface UserPanelProps {
  readonly userId: string | undefined;
  readonly onDone: () => void;
}

/** One person of the team, and what an admin can do about them. */
export function UserPanel({ userId, onDone }: UserPanelProps) {
  const { user, users, isDemo } = useTeam();
  const person = users.find(({ id }) => id === userId);
  if (!person) return <p>This person is not in the team any more.</p>;
  const { displayName, emailAddress, created, createdBy, level, invited } = person.data;
  const why = reasonOf({ isDemo, isAdmin: user.data.level === 'admin', isLast: isLastAdmin(users, person) });
  return (
    <div className={styles['panel']}>
      <div className={styles['who']}>
        <Portrait person={person} size={56} />
        <div>
          <h3>{displayName}</h3>
          <p>{emailAddress}</p>
        </div>
      </div>
      <Facts
        of={{
          Level: LEVEL_LABELS[level],
          Added: day(created),
          'Added by': person.id === createdBy ? 'Signed up' : (nameOf(users, createdBy) ?? 'Somebody who left'),
          State: invited ? 'Invited, has not come yet' : 'Signs in',
        }}
      />
      {why && <Notice tone="plain">{why}</Notice>}
      <LevelForm key={level} person={person} isOff={why !== undefined} />
      <RemoveUser person={person} isOff={why !== undefined} onRemoved={onDone} />
    </div>
  );
}

/** Why nothing can be changed here, if that is so. */
function reasonOf({ isDemo, isAdmin, isLast }: Record<'isDemo' | 'isAdmin' | 'isLast', boolean>): string | undefined {
  if (isDemo) return 'This is the demo: people can be looked at, not changed.';
  if (!isAdmin) return 'Only admins can change who is in the team.';
  return isLast ? 'The last admin of an account can neither be removed nor become a user. Make somebody else an admin first.' : undefined;
}

const nameOf = (users: readonly User[], id: string): string | undefined => users.find((each) => each.id === id)?.data.displayName;

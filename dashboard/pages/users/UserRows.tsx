import type { User } from '#contract/user.ts';
import { useAction } from '../../data/useAction.ts';
import { usePanel } from '../../frame/panel.ts';
import { useTeam } from '../../frame/team.ts';
import { Button } from '../../ui/mantine.ts';
import { LevelBadge, Portrait } from '../../ui/Portrait.tsx';
import rowStyles from '../../ui/Rows.module.css';
import { toast } from '../../ui/Toasts.tsx';
import { day } from '../../ui/time.ts';
import users from './UserRows.module.css';

/** A row a person; each opens that person's panel. */
export const UserRows = ({ users: people }: { users: readonly User[] }) => (
  <div className={users['columns']}>
    <div className={rowStyles['head']} aria-hidden>
      <span>Name</span>
      <span>Email</span>
      <span>Level</span>
      <span>Added</span>
    </div>
    <ul aria-label="Users">
      {people.map((person) => (
        <li key={person.id}>
          <UserRow person={person} />
        </li>
      ))}
    </ul>
  </div>
);

function UserRow({ person }: { person: User }) {
  const { user } = useTeam();
  const { open } = usePanel();
  const { displayName, emailAddress, level, created, invited } = person.data;
  const id = `row-${person.id}`;
  return (
    <div className={rowStyles['row']}>
      <button id={id} type="button" className={rowStyles['open']} onClick={() => open('user', { user: person.id, opener: id })}>
        <Portrait person={person} size={32} />
        <span>
          {displayName}
          {person.id === user.id && <span className={rowStyles['quiet']}> (you)</span>}
        </span>
      </button>
      <span className={users['email']}>{emailAddress}</span>
      <LevelBadge level={level} className={users['level']} />
      {invited ? <Invited person={person} /> : <span className={`${rowStyles['quiet']} ${users['added']}`}>{day(created)}</span>}
    </div>
  );
}

/** Asked to join and not come yet: the mail can go out again. */
function Invited({ person: { id, data } }: { person: User }) {
  const resend = useAction('user', 'resend');
  const { isDemo } = useTeam();
  async function submit(): Promise<void> {
    if (await resend.run({ userId: id })) toast(`Invitation sent to ${data.emailAddress} again.`);
    else toast(`The invitation to ${data.emailAddress} could not be sent again. Try once more.`);
  }
  return (
    <span className={`${rowStyles['above']} ${users['added']}`}>
      <span className={rowStyles['badge']} data-tone="warn">
        Invited
      </span>
      <Button size="compact-sm" variant="default" loading={resend.isPending} disabled={isDemo} onClick={() => void submit()}>
        Resend<span className="visually-hidden"> the invitation to {data.displayName}</span>
      </Button>
    </span>
  );
}

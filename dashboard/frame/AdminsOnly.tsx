import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTitle } from '../ui/hooks.ts';
import { State } from '../ui/State.tsx';
import { adminNames } from './admins.ts';
import { useTeam } from './data.tsx';

/** A screen of admins. Others learn whom to ask; the server refuses them all the same. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { user, users } = useTeam();
  return user.data.level === 'admin' ? children : <Closed users={users} />;
}

function Closed({ users }: { users: ReturnType<typeof useTeam>['users'] }) {
  useTitle('Admins only');
  return (
    <State icon={<IconLock size={32} stroke={1.5} aria-hidden />} title={<h1 tabIndex={-1}>Only admins can open this page.</h1>}>
      Ask {adminNames(users)}.
    </State>
  );
}

import { useRouterState } from '@tanstack/react-router';
import { usePersisted } from '../data/persisted.ts';
import type { DataSource } from '../data/source.ts';
import { FrameSkeleton } from '../frame/chrome/FrameSkeleton.tsx';
import type { Team } from '../frame/team.ts';
import { paths } from '../paths.ts';
import { useDelayed } from '../ui/hooks.ts';
import { Later } from '../ui/page/Later.tsx';
import { useWindowEvent } from '../ui/theme/mantine.ts';
import { TeamArea } from './LaterTeamArea.ts';
import { teamless } from './teamless.ts';

interface KeptFeedProps {
  readonly userId: string;
  readonly email: string;
}

/**
 * What is shown until the team is known: the feed as this person saw it last on this device, where that is their page
 * (docs/decisions/0007-the-first-load.md). It is there to be read: what is done to it could not be kept.
 */
export function KeptFeed({ userId, email }: KeptFeedProps) {
  const isHome = useRouterState({ select: ({ location }) => location.pathname === paths.feed && location.searchStr === '' });
  const isKept = usePersisted(({ feedback }) => feedback?.userId === userId && feedback.items.length > 0);
  return isHome && isKept ? <ReadOnlyFeed userId={userId} email={email} /> : <FrameSkeleton />;
}

function ReadOnlyFeed(person: KeptFeedProps) {
  // Before the page hears of a key.
  useWindowEvent('keydown', (event) => event.stopImmediatePropagation(), { capture: true });
  const { account, ...nobody } = teamless(person);
  const team: Team = {
    ...nobody,
    account: { ...account, data: { ...account.data, displayName: '' } },
    isTeamless: false,
    isKept: true,
    isOperator: false,
    signOut: async () => undefined,
  };
  const isLong = useDelayed(true);
  return (
    <>
      <p role="status" className="visually-hidden">
        {isLong ? 'Loading' : ''}
      </p>
      <div inert aria-busy>
        <Later waiting={<FrameSkeleton />} failed={<FrameSkeleton />}>
          <TeamArea source={NOBODY_ANSWERS} team={team} />
        </Later>
      </div>
    </>
  );
}

const NOBODY_ANSWERS: DataSource = { id: 'kept', call: () => new Promise(() => undefined), listen: () => () => undefined };

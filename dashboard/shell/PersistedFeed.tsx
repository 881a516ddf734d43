import { useRouterState } from '@tanstack/react-router';
import { usePersisted } from '../data/persisted.ts';
import type { DataSource } from '../data/source.ts';
import { FrameSkeleton } from '../frame/chrome/FrameSkeleton.tsx';
import type { Team } from '../frame/team.ts';
import { t } from '../language.ts';
import { paths } from '../paths.ts';
import { useDelayed } from '../ui/hooks.ts';
import { Later } from '../ui/page/Later.tsx';
import { useWindowEvent } from '../ui/theme/mantine.ts';
import { TeamArea } from './LazyTeamArea.ts';
import { teamless } from './teamless.ts';

interface PersistedFeedProps {
  readonly userId: string;
  readonly email: string;
}

/**
 * Shows the feed as this person last saw it on this device until the team has loaded, if they open the feed
 * (docs/decisions/0005-the-dashboard.md). Read-only, because changes couldn't be saved.
 */
export function PersistedFeed({ userId, email }: PersistedFeedProps) {
  const isHome = useRouterState({ select: ({ location }) => location.pathname === paths.feed && location.searchStr === '' });
  const isPersisted = usePersisted(({ feedback }) => feedback?.userId === userId && feedback.items.length > 0);
  return isHome && isPersisted ? <ReadOnlyFeed userId={userId} email={email} /> : <FrameSkeleton />;
}

function ReadOnlyFeed(person: PersistedFeedProps) {
  // Stop keys before the page's shortcuts handle them.
  useWindowEvent('keydown', (event) => event.stopImmediatePropagation(), { capture: true });
  const { account, ...empty } = teamless(person);
  const team: Team = {
    ...empty,
    account: { ...account, data: { ...account.data, displayName: '' } },
    isTeamless: false,
    isPersisted: true,
    isOperator: false,
    signOut: async () => undefined,
  };
  const isLong = useDelayed(true);
  return (
    <>
      <p role="status" className="visually-hidden">
        {isLong ? t('Loading') : ''}
      </p>
      <div inert aria-busy>
        <Later waiting={<FrameSkeleton />} failed={<FrameSkeleton />}>
          <TeamArea source={NO_ANSWERS} team={team} />
        </Later>
      </div>
    </>
  );
}

const NO_ANSWERS: DataSource = { id: 'persisted', call: () => new Promise(() => undefined), listen: () => () => undefined };

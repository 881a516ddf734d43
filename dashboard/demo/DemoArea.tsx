import { useQueryClient } from '@tanstack/react-query';
import { useLoadedTeam } from '../data/useLoadedTeam.ts';
import { FrameSkeleton } from '../frame/chrome/FrameSkeleton.tsx';
import { TeamArea } from '../shell/TeamArea.tsx';
import { source } from './first-render.ts';
import { DEMO_USER } from './source.ts';

/** The dashboard of the sample business: no sign-in, no server, nothing saved. */
export function DemoArea() {
  const client = useQueryClient();
  const { account, user, users, properties } = useLoadedTeam(source, DEMO_USER);
  if (!account || !user || !users || !properties) return <FrameSkeleton />;

  /** Discards every change and reloads the demo. */
  async function restart(): Promise<void> {
    source.restart();
    await client.resetQueries({ queryKey: [source.id] });
  }
  return (
    <TeamArea
      source={source}
      team={{ account, user, users, properties, isOperator: false, isDemo: true, isTeamless: false, signOut: restart }}
    />
  );
}

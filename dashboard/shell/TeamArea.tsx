import { Outlet } from '@tanstack/react-router';
import { type Source, SourceProvider } from '../data/source.ts';
import { Frame } from '../frame/Frame.tsx';
import { type Team, TeamProvider } from '../frame/team.ts';
import { PANELS } from './panels.ts';

/** A team's pages inside their frame, on the server's data or on the demo's. */
export const TeamArea = ({ source, team }: { source: Source; team: Team }) => (
  <SourceProvider value={source}>
    <TeamProvider value={team}>
      <Frame panels={PANELS}>
        <Outlet />
      </Frame>
    </TeamProvider>
  </SourceProvider>
);

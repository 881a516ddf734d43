import { Outlet } from '@tanstack/react-router';
import { SourceProvider } from '../data/source.ts';
import { TeamProvider } from '../frame/data.tsx';
import { Frame } from '../frame/Frame.tsx';
import { createDemoSource, DEMO_TEAM } from './source.ts';

const source = createDemoSource();

/** The dashboard of the sample business: no sign-in, no server, nothing saved. */
export function DemoArea() {
  return (
    <SourceProvider value={source}>
      <TeamProvider value={DEMO_TEAM}>
        <Frame>
          <Outlet />
        </Frame>
      </TeamProvider>
    </SourceProvider>
  );
}

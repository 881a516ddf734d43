import { TeamArea } from '../shell/TeamArea.tsx';
import { createDemoSource, DEMO_TEAM } from './source.ts';

const source = createDemoSource();

/** The dashboard of the sample business: no sign-in, no server, nothing saved. */
export const DemoArea = () => <TeamArea source={source} team={DEMO_TEAM} />;

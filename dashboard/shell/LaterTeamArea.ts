import { loadedLater } from '../ui/page/Later.tsx';

/** A team's frame and feed: one for whatever shows them, so that what has come for one is there for the other. */
export const TeamArea = loadedLater(() => import('./team.ts'), 'TeamArea');

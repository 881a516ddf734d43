import { loadedLater } from '../ui/page/Later.tsx';

/** A team's frame and feed, loaded once for every screen that shows them. */
export const TeamArea = loadedLater(() => import('./team-chunk.ts'), 'TeamArea');

import { Notice } from '../ui/Notice.tsx';
import { useTeam } from './data.tsx';

/** Why nothing on this page can be changed, where that is so. */
export const DemoNote = ({ of }: { of: string }) =>
  useTeam().isDemo && <Notice tone="plain">This is the demo: {of} can be looked at, not changed.</Notice>;

import { IconAlertTriangle, IconBuildingStore, IconInbox, IconSettings, IconUsers } from '@tabler/icons-react';
import type { Paths } from '../paths.ts';
import type { Team } from './team.ts';

export interface Place {
  readonly to: string;
  readonly label: string;
  readonly Icon: typeof IconInbox;
}

/** Where everybody's work is; on a phone these are the tabs. */
export const dailyPlaces = (paths: Paths): readonly Place[] => [
  { to: paths.feed, label: 'All feedback', Icon: IconInbox },
  { to: paths.urgent, label: 'Urgent', Icon: IconAlertTriangle },
  { to: paths.properties, label: 'Properties', Icon: IconBuildingStore },
];

/** Screens that are somebody's only are not shown to others (design §3); the server decides all the same. */
export const adminPlaces = ({ user }: Pick<Team, 'user'>, paths: Paths): readonly Place[] =>
  user.data.level === 'admin'
    ? [
        { to: paths.users, label: 'Users', Icon: IconUsers },
        { to: paths.administration, label: 'Administration', Icon: IconSettings },
      ]
    : [];

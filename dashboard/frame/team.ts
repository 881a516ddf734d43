import { createContext, useContext } from 'react';
import type { Account } from '#contract/account/account.ts';
import { translatable } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import type { User } from '#contract/user/user.ts';
import { t } from '../language.ts';
import { type Paths, pathsBelow } from '../paths.ts';
import { anyOf } from '../ui/format/list.ts';

/** The data loaded once after sign-in and available to every page. */
export interface Team {
  readonly account: Account;
  readonly user: User;
  readonly users: readonly User[];
  readonly properties: readonly Property[];
  /** The person runs this installation. The server enforces what operators may do. */
  readonly isOperator: boolean;
  readonly isDemo: boolean;
  /** The person is an operator without a business, who sees only the operator's pages and a profile. */
  readonly isTeamless: boolean;
  /** The team hasn't loaded yet, and only feedback stored on this device is shown. */
  readonly isPersisted?: true;
  /** Ends the session; in the demo, discards every change. */
  readonly signOut: () => Promise<void>;
}

const TeamContext = createContext<Team | undefined>(undefined);
export const TeamProvider = TeamContext.Provider;

const PATHS = { team: pathsBelow(''), demo: pathsBelow('/demo') };

export function useTeam(): Team & { readonly paths: Paths } {
  const team = useContext(TeamContext);
  if (!team) throw new Error('A page was rendered before the team loaded');
  return { ...team, paths: team.isDemo ? PATHS.demo : PATHS.team };
}

/** Returns a property's name, or a placeholder if it's deleted or hasn't loaded. */
export const propertyName = ({ properties, isPersisted }: Pick<Team, 'properties' | 'isPersisted'>, propertyId: string): string =>
  properties.find(({ id }) => id === propertyId)?.data.displayName ?? (isPersisted ? '…' : t('Deleted property'));

/** Returns a property's time zone; undefined if it has none, so that the browser's applies. */
export const propertyZone = ({ properties }: Pick<Team, 'properties'>, propertyId: string): string | undefined =>
  properties.find(({ id }) => id === propertyId)?.data.timeZone;

/** The name shown for someone who has left the team. */
export const LEFT = translatable('Former teammate');

/** Returns a person's name, or a placeholder if they've left the team. */
export const personName = ({ users }: Pick<Team, 'users'>, userId: string): string =>
  users.find(({ id }) => id === userId)?.data.displayName ?? t(LEFT);

/** Returns the admins to ask, such as "Dana Moss or Sam Lee". */
export function adminNames(users: readonly User[]): string {
  const names = users.filter(({ data }) => data.level === 'admin' && !data.invited).map(({ data }) => data.displayName);
  return names.length > 0 ? anyOf(names) : t('an admin of your team');
}

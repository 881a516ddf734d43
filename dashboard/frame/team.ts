import { createContext, useContext } from 'react';
import type { Account } from '#contract/account/account.ts';
import type { Property } from '#contract/property/property.ts';
import type { User } from '#contract/user/user.ts';
import { type Paths, pathsBelow } from '../paths.ts';

/** What is loaded once after signing in and known to every page. */
export interface Team {
  readonly account: Account;
  readonly user: User;
  readonly users: readonly User[];
  readonly properties: readonly Property[];
  /** The person runs this installation; what that allows, the server decides. */
  readonly isOperator: boolean;
  readonly isDemo: boolean;
  /** The person is of no business: an operator, who sees the operator's pages and a profile. */
  readonly isTeamless: boolean;
  /** Nothing of it is known yet, and only what this device keeps is shown. */
  readonly isKept?: true;
  /** Ends the session; in the demo, every change. */
  readonly signOut: () => Promise<void>;
}

const TeamContext = createContext<Team | undefined>(undefined);
export const TeamProvider = TeamContext.Provider;

const PATHS = { team: pathsBelow(''), demo: pathsBelow('/demo') };

export function useTeam(): Team & { readonly paths: Paths } {
  const team = useContext(TeamContext);
  if (!team) throw new Error('A page was drawn before the team was loaded');
  return { ...team, paths: team.isDemo ? PATHS.demo : PATHS.team };
}

/** A property's name, also where it was deleted since, or is not known yet. */
export const propertyName = ({ properties, isKept }: Pick<Team, 'properties' | 'isKept'>, propertyId: string): string =>
  properties.find(({ id }) => id === propertyId)?.data.displayName ?? (isKept ? '…' : 'Deleted property');

/** The time zone of a property; undefined where it has none of its own, and this browser's counts. */
export const propertyZone = ({ properties }: Pick<Team, 'properties'>, propertyId: string): string | undefined =>
  properties.find(({ id }) => id === propertyId)?.data.timeZone;

/** What stands for somebody who is of the team no more. */
export const LEFT = 'Former teammate';

/** A person's name, also where they have left the team since. */
export const personName = ({ users }: Pick<Team, 'users'>, userId: string): string =>
  users.find(({ id }) => id === userId)?.data.displayName ?? LEFT;

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

/** The admins to ask: "Dana Moss or Sam Lee". */
export function adminNames(users: readonly User[]): string {
  const names = users.filter(({ data }) => data.level === 'admin' && !data.invited).map(({ data }) => data.displayName);
  return names.length > 0 ? LIST.format(names) : 'an admin of your team';
}

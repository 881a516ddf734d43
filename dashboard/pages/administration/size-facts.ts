import type { Team } from '../../frame/team.ts';

/** Returns the number of members and properties. Invited people are counted apart until they join. */
export function sizeFacts({ users, properties }: Pick<Team, 'users' | 'properties'>): { Members: string; Properties: string } {
  const invited = users.filter(({ data }) => data.invited).length;
  const members = String(users.length - invited);
  return { Members: invited > 0 ? `${members}, and ${invited} invited` : members, Properties: String(properties.length) };
}

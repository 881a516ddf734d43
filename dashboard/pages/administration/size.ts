import type { Team } from '../../frame/team.ts';

/** How many people and properties a business has. Who was invited and has not come is no member yet. */
export function sizeFacts({ users, properties }: Pick<Team, 'users' | 'properties'>): { Members: string; Properties: string } {
  const invited = users.filter(({ data }) => data.invited).length;
  const members = String(users.length - invited);
  return { Members: invited > 0 ? `${members}, and ${invited} invited` : members, Properties: String(properties.length) };
}

import type { Team } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { formatCount } from '../../ui/format/number.ts';

/** Returns the number of members and properties by label. Invited people are counted apart until they join. */
export function sizeFacts({ users, properties }: Pick<Team, 'users' | 'properties'>): Record<string, string> {
  const invited = users.filter(({ data }) => data.invited).length;
  const members = users.length - invited;
  return {
    [t('Members')]: invited > 0 ? t('{members}, and {invited} invited', { members, invited }) : formatCount(members),
    [t('Properties')]: formatCount(properties.length),
  };
}

import { Link } from '@tanstack/react-router';
import type { Property } from '#contract/property/property.ts';
import { useTeam } from '../../frame/team.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { searchOf } from './search.ts';
import { useStanding } from './useStanding.ts';

/** Says above every tab that visitors cannot answer, with a link to change that. */
export function NotOpen({ property }: { property: Property }) {
  const { paths } = useTeam();
  const standing = useStanding(property);
  if (standing === undefined || standing === 'open') return null;
  return (
    <Notice tone="plain">
      {standing === 'closed' ? 'This form is closed. Visitors see that it’s no longer open.' : 'The form of this property was deleted.'}{' '}
      <Link to={paths.propertyConfiguration(property.id)} search={searchOf('danger')}>
        {standing === 'closed' ? 'Reopen it' : 'Create a new form'}
      </Link>
    </Notice>
  );
}

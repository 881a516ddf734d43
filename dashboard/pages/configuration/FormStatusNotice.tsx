import { Link } from '@tanstack/react-router';
import type { Property } from '#contract/property/property.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { searchOf } from './search.ts';
import { useFormStatus } from './useFormStatus.ts';

/** Shown above every tab while the form is closed or deleted, with a link to change that. */
export function FormStatusNotice({ property }: { property: Property }) {
  const { paths } = useTeam();
  const { data: status } = useFormStatus(property);
  if (status === undefined || status === 'open') return null;
  return (
    <Notice tone="plain">
      {status === 'closed' ? t('This form is closed. Visitors see that it’s no longer open.') : t('This property’s form was deleted.')}{' '}
      <Link to={paths.propertyConfiguration(property.id)} search={searchOf('danger')}>
        {status === 'closed' ? t('Reopen it') : t('Create a new form')}
      </Link>
    </Notice>
  );
}

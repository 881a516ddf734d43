import { IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deletionQuery } from '../data/queries.ts';
import { useSource } from '../data/source.ts';
import { useAction } from '../data/useAction.ts';
import { useLastError } from '../data/useLastError.ts';
import { t } from '../language.ts';
import { paths } from '../paths.ts';
import { goOn } from '../session/session.ts';
import { moment } from '../ui/format/time.ts';
import { useTitle } from '../ui/hooks.ts';
import { EmptyState } from '../ui/messages/EmptyState.tsx';
import { Notice } from '../ui/messages/Notice.tsx';
import { CenteredPage } from '../ui/page/CenteredPage.tsx';
import { Button } from '../ui/theme/mantine.ts';
import { Unreachable } from './Unreachable.tsx';

/** Tells people of a deleted account until when it can be restored, and lets admins restore it. */
export function DeletedAccount() {
  const client = useQueryClient();
  const deletion = useQuery(deletionQuery(useSource()));
  const { data, refetch } = deletion;
  const error = useLastError(deletion.error, [deletion]);
  const restore = useAction('account', 'restore');
  useTitle(t('Account deleted'));
  if (error) return <Unreachable error={error} onRetry={refetch} />;
  if (!data)
    return (
      <CenteredPage>
        <div aria-busy />
      </CenteredPage>
    );
  const { displayName, deletedAt, until, mayRestore } = data;

  return (
    <CenteredPage below={<Link to={paths.signOut}>{t('Sign out')}</Link>}>
      <EmptyState
        icon={<IconTrash size={32} stroke={1.5} aria-hidden />}
        title={<h1>{t('{name} was deleted', { name: displayName })}</h1>}
        action={
          (mayRestore || deletedAt === undefined) && (
            <Button loading={restore.isPending} onClick={() => void restoreAccount()}>
              {t('Restore account')}
            </Button>
          )
        }
      >
        {deletedAt !== undefined && until !== undefined && (
          <>
            {t('Deleted on {deleted}. Until {until} it can be restored with everything in it.', {
              deleted: moment(deletedAt),
              until: moment(until),
            })}{' '}
            {!mayRestore && t('Ask an admin of your team to restore it.')}
          </>
        )}
      </EmptyState>
      <Notice tone="bad">{restore.failure}</Notice>
    </CenteredPage>
  );

  async function restoreAccount(): Promise<void> {
    if (mayRestore && !(await restore.run({}))) return;
    goOn();
    await client.resetQueries();
  }
}

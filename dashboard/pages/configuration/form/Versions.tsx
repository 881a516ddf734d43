import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SavedVersion } from '#contract/form/form.ts';
import type { User } from '#contract/user/user.ts';
import { formVersionQuery, formVersionsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useMutationAction } from '../../../data/useAction.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { moment } from '../../../ui/format/time.ts';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Rich, SpokenLabel } from '../../../ui/Rich.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { INVITED } from '../invited.ts';
import { draftOf, type FormDraft, type StoredForm } from './draft.ts';
import styles from './Versions.module.css';

interface VersionsProps {
  readonly stored: StoredForm;
  readonly onRestore: (draft: FormDraft) => void;
}

const SHOWN_AT_FIRST = 5;

/** The form's earlier versions, and when the review invitation changed (docs/rules.md#form-versions). */
export function Versions({ stored: { form }, onRestore }: VersionsProps) {
  const { data, isError, refetch } = useQuery(formVersionsQuery(useSource(), form.id, form.data.version));
  const [isWhole, setWhole] = useState(false);
  if (isError) return <LoadFailed onRetry={refetch}>{t('We couldn’t load the versions.')}</LoadFailed>;
  if (!data) return null;
  const shown = isWhole ? data.versions : data.versions.slice(0, SHOWN_AT_FIRST);
  return (
    <Card title={t('History')} lead={t('Each answer keeps the wording it was given to.')}>
      <h3 className={styles['heading']}>{t('Review invitations')}</h3>
      <ul className={styles['list']}>
        {data.invitations.map((version) => (
          <Saved key={version.version} version={version} title={t(INVITED[version.inviteToReview])} />
        ))}
      </ul>
      <h3 className={styles['heading']}>{t('Versions')}</h3>
      <ul className={styles['list']}>
        {shown.map((version) => (
          <Saved key={version.version} version={version} title={t('Version {number}', { number: String(version.version) })}>
            {version.version === form.data.version ? (
              <span className={styles['now']}>{t('Current')}</span>
            ) : (
              <Restore formId={form.id} version={version.version} onRestore={onRestore} />
            )}
          </Saved>
        ))}
      </ul>
      {shown.length < data.versions.length && (
        <TextLink onClick={() => setWhole(true)}>{t('Show all {count}', { count: data.versions.length })}</TextLink>
      )}
    </Card>
  );
}

function Saved({ version: { saved, savedBy }, title, children }: { version: SavedVersion; title: string; children?: ReactNode }) {
  const { users } = useTeam();
  return (
    <li className={styles['saved']}>
      <span>
        <Rich
          text={t('<title>{title}</title>, {date} by {name}', { title, date: moment(saved), name: savedByName(users, savedBy) })}
          parts={{ title: (text) => <strong>{text}</strong> }}
        />
      </span>
      {children}
    </li>
  );
}

/** Copies an earlier version into the fields, without saving it. */
function Restore({ formId, version, onRestore }: { formId: string; version: number } & Pick<VersionsProps, 'onRestore'>) {
  const [source, client] = [useSource(), useQueryClient()];
  const read = useMutationAction({ mutationFn: () => client.query(formVersionQuery(source, formId, version)) });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={read.isPending}
        onClick={() => void read.run(undefined, ({ form }) => onRestore(draftOf(form)))}
      >
        <SpokenLabel text={t('Restore<spoken> version {number}</spoken>', { number: String(version) })} />
      </Button>
      <Notice tone="bad">{read.failure}</Notice>
    </>
  );
}

/** Returns the name of who saved a version, or "a former teammate". */
export const savedByName = (users: readonly User[], id: string): string =>
  users.find((user) => user.id === id)?.data.displayName ?? t.in('saved', 'a former teammate');

import { IconDownload } from '@tabler/icons-react';
import { EXPORT_FAILURES, type ExportedFile, isInProgress } from '#contract/export/export.ts';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { translatedMessage } from '../../message.ts';
import { downloadFrom } from '../../ui/download.ts';
import { moment } from '../../ui/format/time.ts';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './ExportFiles.module.css';
import type { Exports } from './useExports.ts';

/** Lists the caller's files with their progress and actions; renders nothing without files. */
export function ExportFiles({ exports: { files, isError, retry } }: { exports: Exports }) {
  if (isError) return <LoadFailed onRetry={retry}>{t('We couldn’t load your files.')}</LoadFailed>;
  if (files.length === 0) return null;
  return (
    <section className={styles['files']} aria-label={t('Your files')}>
      <h3>{t('Your files')}</h3>
      <p>{t('Available for 24 hours, and only to you.')}</p>
      <ul>
        {files.map((file) => (
          <FileRow key={file.id} file={file} />
        ))}
      </ul>
    </section>
  );
}

function FileRow({ file }: { file: ExportedFile }) {
  const { id, data } = file;
  const link = useAction('export', 'link');
  const remove = useAction('export', 'delete', { allowNotFound: true });
  const rowsId = `rows-${id}`;
  return (
    <li>
      <div className={styles['file']}>
        <strong>{data.name}</strong>
        <span id={rowsId}>{stateOf(file)}</span>
        {isInProgress(file) && <progress aria-labelledby={rowsId} {...(data.expected && { value: data.rows, max: data.expected })} />}
      </div>
      {data.status === 'done' && (
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={link.isPending}
          aria-label={t('Download {name}', { name: data.name })}
          onClick={() => void link.run({ exportId: id }, ({ address, name }) => downloadFrom(address, name))}
        >
          {t('Download')}
        </Button>
      )}
      <Button
        variant="default"
        loading={remove.isPending}
        aria-label={isInProgress(file) ? t('Cancel {name}', { name: data.name }) : t('Delete {name}', { name: data.name })}
        onClick={() => void remove.run({ exportId: id })}
      >
        {isInProgress(file) ? t('Cancel') : t('Delete')}
      </Button>
      <Notice tone="bad">{link.failure ?? remove.failure}</Notice>
    </li>
  );
}

function stateOf({ data: { content, status, rows, expected, failure, until } }: ExportedFile): string {
  switch (status) {
    case 'waiting':
      return t('Waiting to start');
    case 'running':
      return expected === undefined
        ? t.count(rows, '{count} record so far', '{count} records so far')
        : t.count(expected, '{done} of {count} row', '{done} of {count} rows', { done: rows });
    case 'done':
      return until === undefined
        ? contentOf(content, rows)
        : t('{content}, until {moment}', { content: contentOf(content, rows), moment: moment(until) });
    case 'failed':
      return translatedMessage(EXPORT_FAILURES[failure ?? 'broken']);
  }
}

const contentOf = (content: ExportedFile['data']['content'], rows: number): string =>
  content === 'account' ? t.count(rows, '{count} record', '{count} records') : rowsInWords(rows);

/** Returns text such as "1 row" or "1,280 rows". */
const rowsInWords = (rows: number): string => t.count(rows, '{count} row', '{count} rows');

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { translatable } from '#contract/language/translate.ts';
import type { ListedMessage, MessageKind } from '#contract/message/message.ts';
import { messagesQuery, screenshotQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { OperatorsOnly } from '../../frame/Access.tsx';
import { PagedList } from '../../frame/PagedList.tsx';
import { t } from '../../language.ts';
import { exactly, moment } from '../../ui/format/time.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { DescriptionList } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Button, Switch } from '../../ui/theme/mantine.ts';
import styles from './MessagesPage.module.css';
import { OperatorPage } from './OperatorPage.tsx';

export const MessagesPage = () => (
  <OperatorsOnly>
    <Messages />
  </OperatorsOnly>
);

/** Messages from teams to the operators, newest first. */
function Messages() {
  const [search, setSearch] = useState('');
  const [isAll, setAll] = useState(false);
  const query = useInfiniteQuery({
    ...messagesQuery(useSource(), { search, which: isAll ? 'all' : 'open' }),
    select: ({ pages }) => pages.flatMap(({ messages }) => messages),
  });
  return (
    <OperatorPage
      title={t('Messages')}
      search={<SearchField label={t('Search by words, business or name')} settles={300} onSearch={setSearch} />}
    >
      <Switch label={t('Show handled messages too')} checked={isAll} onChange={({ currentTarget }) => setAll(currentTarget.checked)} />
      <PagedList name={t('Messages')} empty={t('No messages.')} keyOf={({ message }) => message.id} search={search} query={query}>
        {(row) => <MessageRow row={row} />}
      </PagedList>
    </OperatorPage>
  );
}

const KINDS = translatable({
  feedback: { label: 'Feedback', name: 'Feedback from {company}', deletion: 'Delete the feedback from {company}?' },
  bug: { label: 'Bug', name: 'Bug from {company}', deletion: 'Delete the bug report from {company}?' },
} satisfies Record<MessageKind, object>);

function MessageRow({ row: { message, company, name, emailAddress } }: { row: ListedMessage }) {
  const { id, data } = message;
  const { accountId, kind, created, text, url, userAgent, hasScreenshot, handled } = data;
  const handle = useAction('message', 'handle');
  return (
    <article className={styles['message']} aria-label={t(KINDS[kind].name, { company })}>
      <p className={styles['head']}>
        <span className={rowStyles['badge']} data-tone={kind === 'bug' ? 'bad' : 'accent'}>
          {t(KINDS[kind].label)}
        </span>
        <strong>{company}</strong>
        <time dateTime={new Date(created).toISOString()} title={exactly(created)}>
          {moment(created)}
        </time>
      </p>
      <p className={styles['text']} dir="auto">
        {text}
      </p>
      {hasScreenshot && <MessageScreenshot accountId={accountId} messageId={id} />}
      <DescriptionList
        of={{
          [t.in('message', 'From')]: name ?? t('Former teammate'),
          [t('Reply to')]: emailAddress ? (
            <a href={`mailto:${encodeURIComponent(emailAddress).replace('%40', '@')}`}>{emailAddress}</a>
          ) : (
            t('No reply wanted')
          ),
          [t('Page')]: url,
          [t('Browser')]: userAgent,
          [t('Handled')]: handled === undefined ? undefined : moment(handled),
        }}
      />
      <div className={styles['actions']}>
        <Button
          variant="default"
          size="compact-sm"
          loading={handle.isPending}
          onClick={() => void handle.run({ accountId, messageId: id, handled: handled === undefined })}
        >
          {handled === undefined ? t('Mark as handled') : t('Reopen')}
        </Button>
        <DeleteMessage accountId={accountId} messageId={id} title={t(KINDS[kind].deletion, { company })} />
      </div>
      <Notice tone="bad">{handle.failure}</Notice>
    </article>
  );
}

/** Deletes the message after a warning. */
function DeleteMessage({ title, ...about }: { accountId: string; messageId: string; title: string }) {
  const [isAsking, asking] = useLayer(`delete-${about.messageId}`);
  const remove = useAction('message', 'delete', { allowNotFound: true });

  function onDeleted(): void {
    asking.close();
    toast(t('Message deleted.'));
  }

  return (
    <>
      <Button variant="default" size="compact-sm" c="var(--c-danger-text)" onClick={asking.open}>
        {t('Delete')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={title}
        action={{ ...remove, label: t('Delete message'), run: () => void remove.run(about, onDeleted) }}
      >
        {t('Its text and screenshot are deleted permanently. The audit log records the deletion.')}
      </ConfirmDialog>
    </>
  );
}

/** Loads the screenshot on request, because each view is logged. */
function MessageScreenshot(about: { accountId: string; messageId: string }) {
  const [isRequested, setRequested] = useState(false);
  const { data, isError } = useQuery({ ...screenshotQuery(useSource(), about), enabled: isRequested });
  if (data !== undefined) return <img className={styles['screenshot']} src={data} alt={t('Screenshot of the message')} />;
  return (
    <div>
      <Button variant="default" size="compact-sm" loading={isRequested && !isError} onClick={() => setRequested(true)}>
        {t('Show screenshot')}
      </Button>
      <Notice tone="bad">{isError && t('We couldn’t load the screenshot.')}</Notice>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { SYSTEM, VISITOR } from '#contract/event/event.ts';
import type { Feedback, HistoryEntry } from '#contract/feedback/feedback.ts';
import { RATING_WORDS } from '#contract/feedback/rating.ts';
import { historyQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { exactly, moment } from '../../../ui/format/time.ts';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { STATUS_LABELS } from '../labels.ts';
import { Alerts } from './Alerts.tsx';
import styles from './History.module.css';
import { useTags } from './useTags.ts';

interface HistoryProps {
  readonly item: Feedback;
  /** The property's time zone; undefined uses the browser's. */
  readonly zone: string | undefined;
}

/** The history of a piece of feedback, newest first. Loaded when opened. */
export function History({ item, zone }: HistoryProps) {
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const team = useTeam();
  const { status, statusBy, statusAt } = item.data;
  return (
    <section className={styles['history']}>
      <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} aria-controls={list} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t('Hide history') : t('Show history')}
      </Button>
      {statusBy !== undefined && statusAt !== undefined && (
        <span className={styles['by']}>
          {STATUS_LABELS[status]} by {personName(team, statusBy)}, {exactly(statusAt, zone)}
        </span>
      )}
      <div id={list} className={styles['sections']}>
        {isOpen && (
          <>
            <Entries item={item} zone={zone} />
            <h3>{t('Alerts')}</h3>
            <Alerts item={item} zone={zone} />
          </>
        )}
      </div>
    </section>
  );
}

function Entries({ item, zone }: HistoryProps) {
  const { data: entries, isError, refetch } = useQuery(historyQuery(useSource(), item.id));
  const describe = useDescription();
  if (isError)
    return (
      <p role="alert">
        We couldn’t load the history. <TextLink onClick={() => void refetch()}>{t('Try again')}</TextLink>
      </p>
    );
  if (!entries) return <p aria-busy>{t('Loading…')}</p>;
  return (
    <ol className={styles['entries']}>
      {entries.map((entry) => (
        <li key={`${entry.at} ${entry.name}`}>
          <span>{describe(entry)}</span>
          <time dateTime={new Date(entry.at).toISOString()} title={exactly(entry.at, zone)}>
            {moment(entry.at, zone)}
          </time>
        </li>
      ))}
      <li>
        <span>{t('A visitor rated the visit')}</span>
        <time dateTime={new Date(item.data.created).toISOString()} title={exactly(item.data.created, zone)}>
          {moment(item.data.created, zone)}
        </time>
      </li>
    </ol>
  );
}

const LIST = new Intl.ListFormat('en');

/** Returns a function that words an entry as a sentence. */
function useDescription(): (entry: HistoryEntry) => string {
  const team = useTeam();
  const { nameOf } = useTags();
  const tagNames = (ids: readonly string[]): string => LIST.format(ids.map((id) => `“${nameOf(id)}”`));
  return (entry) => {
    const who = actorName(entry.actor);
    switch (entry.name) {
      case 'feedback.amended':
        return entry.data.contact
          ? t('The visitor asked to be contacted')
          : `The visitor changed their answers: rated ${RATING_WORDS[entry.data.rating]}`;
      case 'feedback.trusted':
        return `${who} ${entry.data.counts ? 'counted it' : 'set it aside'}`;
      case 'feedback.status-changed':
        return entry.actor === VISITOR
          ? t('The visitor wrote, which reopened it')
          : `${who} marked it as ${STATUS_LABELS[entry.data.to].toLowerCase()}`;
      case 'feedback.assigned':
        return entry.data.to === null ? `${who} unassigned it` : `${who} assigned it to ${personName(team, entry.data.to)}`;
      case 'feedback.tagged': {
        const { added, removed } = entry.data;
        const parts = [added.length > 0 && `added ${tagNames(added)}`, removed.length > 0 && `removed ${tagNames(removed)}`];
        return `${who} ${LIST.format(parts.filter((part) => part !== false))}`;
      }
    }
  };

  function actorName(actor: string): string {
    if (actor === VISITOR) return t('The visitor');
    return actor === SYSTEM ? 'Afterword' : personName(team, actor);
  }
}

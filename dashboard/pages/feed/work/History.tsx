import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { SYSTEM, VISITOR } from '#contract/event/event.ts';
import type { Feedback, HistoryEntry } from '#contract/feedback/feedback.ts';

import { historyQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { allOf } from '../../../ui/format/list.ts';
import { ratingWord } from '../../../ui/format/rating.ts';
import { exactly, moment } from '../../../ui/format/time.ts';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { statusInSentence, statusLabel } from '../labels.ts';
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
          {t('{status} by {name}, {time}', {
            status: statusLabel(status),
            name: personName(team, statusBy),
            time: exactly(statusAt, zone),
          })}
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
        {t('We couldn’t load the history.')} <TextLink onClick={() => void refetch()}>{t('Try again')}</TextLink>
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

/** Returns a function that words an entry as a sentence. */
function useDescription(): (entry: HistoryEntry) => string {
  const team = useTeam();
  const { nameOf } = useTags();
  const tagNames = (ids: readonly string[]): string => allOf(ids.map((id) => t('“{words}”', { words: nameOf(id) })));
  return (entry) => {
    const name = actorName(entry.actor);
    switch (entry.name) {
      case 'feedback.amended':
        return entry.data.contact
          ? t('The visitor asked to be contacted')
          : t('The visitor changed their answers: rated {rating}', { rating: ratingWord(entry.data.rating) });
      case 'feedback.trusted':
        return entry.data.counts ? t('{name} counted it', { name }) : t('{name} set it aside', { name });
      case 'feedback.status-changed':
        return entry.actor === VISITOR
          ? t('The visitor wrote, which reopened it')
          : t('{name} marked it as {status}', { name, status: statusInSentence(entry.data.to) });
      case 'feedback.assigned':
        return entry.data.to === null
          ? t('{name} unassigned it', { name })
          : t('{name} assigned it to {assignee}', { name, assignee: personName(team, entry.data.to) });
      case 'feedback.tagged': {
        const [added, removed] = [tagNames(entry.data.added), tagNames(entry.data.removed)];
        if (removed === '') return t('{name} added {added}', { name, added });
        return added === ''
          ? t('{name} removed {removed}', { name, removed })
          : t('{name} added {added} and removed {removed}', { name, added, removed });
      }
    }
  };

  function actorName(actor: string): string {
    if (actor === VISITOR) return t('The visitor');
    return actor === SYSTEM ? 'Afterword' : personName(team, actor);
  }
}

import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { Highlighted } from '../../ui/format/Highlighted.tsx';
import styles from './Docs.module.css';
import { GUIDES } from './guides.ts';
import { type GuideSearch, openSearch } from './search.ts';

/** The sections that match a search. */
export function SearchResults({ text, onLeave }: { text: string; onLeave: () => void }) {
  const search = useMemo(() => openSearch(GUIDES), []);
  const result = search(text);
  return (
    <section className={styles['guide']} aria-label={t('Search results')}>
      <p role="status">
        <Summary text={text} result={result} />
      </p>
      <ul className={styles['contents']}>
        {result.hits.map(({ name, title, id, heading, excerpt, matches }) => (
          <li key={`${name} ${id}`}>
            <Link to={paths.guide(name)} {...(id !== undefined && { hash: id })} onClick={onLeave}>
              <Highlighted text={heading === title ? title : `${title}: ${heading}`} words={matches} />
            </Link>
            <p>
              <Highlighted text={excerpt} words={matches} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Summary({ text, result: { hits, missing, searched } }: { text: string; result: GuideSearch }) {
  if (hits.length === 0)
    return (
      <>
        No results for “{text}”. Try other words, or{' '}
        <Link to={paths.feed} search={{ panel: 'internal-feedback' }}>
          {t('ask us')}
        </Link>
        .
      </>
    );
  if (missing.length > 0) return `No page contains ${LIST.format(missing.map((word) => `“${word}”`))}. Showing results for “${searched}”.`;
  return `${hits.length} ${hits.length === 1 ? 'result' : 'results'}`;
}

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

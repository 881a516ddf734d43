import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { Highlighted } from '../../ui/format/Highlighted.tsx';
import { anyOf } from '../../ui/format/list.ts';
import { Rich } from '../../ui/Rich.tsx';
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
      <Rich
        text={t('No results for “{text}”. Try other words, or <ask>ask us</ask>.', { text })}
        parts={{
          ask: (label) => (
            <Link to={paths.feed} search={{ panel: 'internal-feedback' }}>
              {label}
            </Link>
          ),
        }}
      />
    );
  if (missing.length > 0)
    return t('No page contains {words}. Showing results for “{searched}”.', {
      words: anyOf(missing.map((word) => t('“{word}”', { word }))),
      searched,
    });
  return t.count(hits.length, '{count} result', '{count} results');
}

import { Fragment } from 'react';
import { matchRanges } from '#contract/feedback/search.ts';
import styles from './Highlighted.module.css';

/** A text with the searched words highlighted. */
export function Highlighted({ text, words }: { text: string; words: string | undefined }) {
  if (!words) return text;
  const matches = matchRanges(text, words);
  if (matches.length === 0) return text;
  return matches.map(({ from, to }, index) => (
    <Fragment key={from}>
      {text.slice(matches[index - 1]?.to ?? 0, from)}
      <mark className={styles['match']}>{text.slice(from, to)}</mark>
      {index === matches.length - 1 && text.slice(to)}
    </Fragment>
  ));
}

import { Fragment } from 'react';
import { matchRanges } from '#contract/feedback/search.ts';
import styles from './Highlighted.module.css';

/** A text in which the words that were searched for stand out. */
export function Highlighted({ text, words }: { text: string; words: string | undefined }) {
  if (!words) return text;
  const found = matchRanges(text, words);
  if (found.length === 0) return text;
  return found.map(({ from, to }, index) => (
    <Fragment key={from}>
      {text.slice(found[index - 1]?.to ?? 0, from)}
      <mark className={styles['match']}>{text.slice(from, to)}</mark>
      {index === found.length - 1 && text.slice(to)}
    </Fragment>
  ));
}

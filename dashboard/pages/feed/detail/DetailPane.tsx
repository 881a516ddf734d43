import type { Selection } from '../useSelection.ts';
import { Steps } from './Detail.tsx';
import styles from './DetailPane.module.css';
import { OpenFeedback } from './OpenFeedback.tsx';

/** What is open, beside the list; it stays in sight while the list scrolls. */
export function DetailPane({ selection, now }: { selection: Selection; now: number }) {
  const { shownId, shown, can, step } = selection;
  return (
    <section className={styles['pane']} aria-label="Feedback in full">
      {shownId !== undefined && (
        <OpenFeedback
          key={shownId}
          id={shownId}
          known={shown}
          now={now}
          steps={<Steps onPrevious={can(-1) ? () => step(-1) : undefined} onNext={can(1) ? () => step(1) : undefined} />}
        />
      )}
    </section>
  );
}

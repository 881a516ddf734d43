import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { NotFound } from '../../../data/errors.ts';
import { itemQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { SHORTCUTS_PASS } from '../../../frame/shortcuts.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Button, Drawer } from '../../../ui/mantine.ts';
import type { Selection } from '../selection.ts';
import { Detail, Steps } from './Detail.tsx';
import styles from './DetailPane.module.css';

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

/** What is open, as a screen of its own with the way back: for narrow windows. */
export function DetailSheet({ selection, now }: { selection: Selection; now: number }) {
  const { openId, shown, can, step, close } = selection;
  // Still drawn while it slides away.
  const last = useRef({ id: openId, shown });
  if (openId !== undefined) last.current = { id: openId, shown };
  const { id, shown: known } = last.current;
  return (
    <Drawer.Root opened={openId !== undefined} onClose={() => void close()} position="right" size="100%" returnFocus={false}>
      <Drawer.Content aria-label="Feedback" {...{ [SHORTCUTS_PASS]: '' }}>
        <div className={styles['bar']}>
          <Button variant="subtle" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={() => void close()}>
            Back
          </Button>
          <Steps onPrevious={can(-1) ? () => step(-1) : undefined} onNext={can(1) ? () => step(1) : undefined} />
        </div>
        {id !== undefined && <OpenFeedback key={id} id={id} known={known} now={now} />}
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface OpenFeedbackProps {
  readonly id: string;
  /** The item from the list, if the list has it. */
  readonly known: Feedback | undefined;
  readonly now: number;
  readonly steps?: ReactNode;
}

/** Feedback by its id: from the list, or, for a link that somebody shared, from the server. */
function OpenFeedback({ id, known, now, steps }: OpenFeedbackProps) {
  const { data, error, refetch } = useQuery({ ...itemQuery(useSource(), id), enabled: known === undefined });
  const item = known ?? data;
  if (item) return <Detail item={item} now={now} steps={steps} />;
  if (error instanceof NotFound)
    return <EmptyState title="This feedback isn’t available.">It may have been deleted, or the link has a mistake in it.</EmptyState>;
  if (error)
    return (
      <EmptyState role="alert" title="We couldn’t load this feedback." action={<Button onClick={() => void refetch()}>Try again</Button>} />
    );
  return <div aria-busy />;
}

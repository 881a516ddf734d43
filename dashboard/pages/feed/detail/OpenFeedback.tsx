import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { NotFound } from '../../../data/errors.ts';
import { itemQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { Button } from '../../../ui/mantine.ts';
import { State } from '../../../ui/State.tsx';
import { Detail } from './Detail.tsx';

interface OpenFeedbackProps {
  readonly id: string;
  /** The same from the list, when it is in it. */
  readonly known: Feedback | undefined;
  readonly now: number;
  readonly steps?: ReactNode;
}

/** Feedback by its id: from the list, or, for a link that somebody shared, from the server. */
export function OpenFeedback({ id, known, now, steps }: OpenFeedbackProps) {
  const { data, error, refetch } = useQuery({ ...itemQuery(useSource(), id), enabled: known === undefined });
  const item = known ?? data;
  if (item) return <Detail item={item} now={now} steps={steps} />;
  if (error instanceof NotFound)
    return <State title="This feedback isn’t available.">It may have been deleted, or the link has a mistake in it.</State>;
  if (error)
    return (
      <State role="alert" title="We couldn’t load this feedback." action={<Button onClick={() => void refetch()}>Try again</Button>} />
    );
  return <div aria-busy />;
}

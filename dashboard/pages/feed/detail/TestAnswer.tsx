import type { Feedback } from '#contract/feedback/feedback.ts';
import { useAction } from '../../../data/useAction.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { useFeedSearch } from '../search.ts';

/** Says that somebody of the team tried the form, and throws that away. */
export function TestAnswer({ item: { id } }: { item: Feedback }) {
  const [, change] = useFeedSearch();
  const { run, isPending, failure } = useAction('feedback', 'discard', { allowNotFound: true });
  /** What is thrown away is open no more. */
  function discarded(): void {
    change({}, { replace: true });
    toast('The test was thrown away.');
  }

  return (
    <>
      <Notice tone="bad">{failure}</Notice>
      <Notice tone="plain">
        <p>A test: somebody of your team tried the form. It is in no number and alerts nobody.</p>
        <Button size="compact-sm" variant="default" mt={8} loading={isPending} onClick={() => void run({ feedbackIds: [id] }, discarded)}>
          Throw it away
        </Button>
      </Notice>
    </>
  );
}

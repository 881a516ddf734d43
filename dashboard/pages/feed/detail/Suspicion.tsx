import type { Feedback } from '#contract/feedback/feedback.ts';
import { useAction } from '../../../data/useAction.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Button } from '../../../ui/theme/mantine.ts';

/** Whether it counts, where that was ever in doubt, and the button to say otherwise. */
export function Suspicion({ item: { id, data } }: { item: Feedback }) {
  const { run, isPending, failure } = useAction('feedback', 'trust');
  if (data.suspected === undefined) return null;
  const say = (counts: boolean) => void run({ feedbackIds: [id], counts });
  return (
    <>
      <Notice tone="bad">{failure}</Notice>
      <Notice tone="plain">
        <p>
          {data.suspected
            ? 'Set aside: its network sent more answers than visitors do. It isn’t counted and triggers no alerts.'
            : 'It was set aside until a teammate counted it.'}
        </p>
        <Button size="compact-sm" variant="default" mt={8} loading={isPending} onClick={() => say(data.suspected === true)}>
          {data.suspected ? 'Count it' : 'Set it aside again'}
        </Button>
      </Notice>
    </>
  );
}

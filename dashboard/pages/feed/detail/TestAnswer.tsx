import type { Feedback } from '#contract/feedback/feedback.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { useIsShown } from '../../../ui/hooks.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { useFeedSearch } from '../search.ts';

/** Marks a teammate's test of the form, with a button to delete it. */
export function TestAnswer({ item: { id } }: { item: Feedback }) {
  const [, change] = useFeedSearch();
  const isShown = useIsShown();
  const { run, isPending, failure } = useAction('feedback', 'discard', { allowNotFound: true });
  function onDiscarded(): void {
    // Another answer may be open by now.
    if (isShown()) change({}, { replace: true });
    toast(t('Test deleted.'));
  }

  return (
    <>
      <Notice tone="bad">{failure}</Notice>
      <Notice tone="plain">
        <p>{t('A test: a teammate tried the form. It isn’t counted and triggers no alerts.')}</p>
        <Button size="compact-sm" variant="default" mt={8} loading={isPending} onClick={() => void run({ feedbackIds: [id] }, onDiscarded)}>
          {t('Delete test')}
        </Button>
      </Notice>
    </>
  );
}

import type { Feedback } from '#contract/feedback/feedback.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { useAction } from '../../../data/useAction.ts';
import { useTools } from '../../../frame/share/tools.ts';
import { t } from '../../../language.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Button } from '../../../ui/theme/mantine.ts';

/** States whether feedback that was set aside counts, with a button to change that. */
export function Suspicion({ item: { id, data } }: { item: Feedback }) {
  const { run, isPending, failure } = useAction('feedback', 'trust');
  const tool = useTools().find((each) => each.id === data.toolId);
  if (data.suspected === undefined) return null;
  const setCounts = (counts: boolean) => void run({ feedbackIds: [id], counts });
  return (
    <>
      <Notice tone="bad">{failure}</Notice>
      <Notice tone="plain">
        <p>{data.suspected ? reasonFor(tool) : t('This was set aside until a teammate counted it.')}</p>
        <Button size="compact-sm" variant="default" mt={8} loading={isPending} onClick={() => setCounts(data.suspected === true)}>
          {data.suspected ? t('Count it') : t('Set it aside again')}
        </Button>
      </Notice>
    </>
  );
}

const reasonFor = (tool: Tool | undefined): string =>
  tool?.data.toolType === 'kiosk'
    ? t('Set aside: tapped again within a few seconds on a kiosk. It isn’t counted and triggers no alerts.')
    : t('Set aside: one network sent an unusual number of answers. It isn’t counted and triggers no alerts.');

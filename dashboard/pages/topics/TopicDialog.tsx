import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as v from 'valibot';
import { MOST_RESULTS } from '#contract/feedback/filters.ts';
import { type FeedbackTopic, LONGEST_TOPIC, topicPhrase } from '#contract/topic/topic.ts';
import { topicPreviewQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { translatedMessage } from '../../message.ts';
import { Face } from '../../ui/Face.tsx';
import { TextField } from '../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { isSame } from '../../ui/forms/useStoredForm.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { Dialog } from '../../ui/layers/Dialog.tsx';
import { useHold } from '../../ui/layers/hold.ts';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Button, NativeSelect, Switch, Textarea, useDebouncedCallback } from '../../ui/theme/mantine.ts';
import styles from './Topics.module.css';

interface TopicDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Undefined for a new topic. */
  readonly topic: FeedbackTopic | undefined;
  readonly topics: readonly FeedbackTopic[];
}

/** Creates or changes a topic, and shows which answers match while its phrases are typed. */
export const TopicDialog = ({ isOpen, onClose, topic, topics }: TopicDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={topic ? topic.data.displayName : t('Add topic')} size="lg">
    <TopicForm topic={topic} topics={topics} onDone={onClose} />
  </Dialog>
);

/** Time after typing until the answers are counted (ms). */
const SETTLES = 400;

function TopicForm({ topic, topics, onDone }: Pick<TopicDialogProps, 'topic' | 'topics'> & { onDone: () => void }) {
  const save = useAction('topic', 'save');
  const [before] = useState(topic?.data);
  const [name, setName] = useState(topic?.data.displayName ?? '');
  const [typed, setTyped] = useState(topic?.data.phrases.join('\n') ?? '');
  const [isHidden, setHidden] = useState(topic?.data.isHidden ?? false);
  const [start] = useState([name, typed, isHidden]);
  useHold(!isSame(start, [name, typed, isHidden]));
  const [previewPhrases, setPreviewPhrases] = useState(() => phrasesIn(typed).phrases);
  const updatePreview = useDebouncedCallback((text: string) => setPreviewPhrases(phrasesIn(text).phrases), SETTLES);
  const { phrases, problem } = phrasesIn(typed);
  const missing = name.trim() === '' ? t('Enter a name.') : problem && t('Correct the phrases.');

  function submit(): void {
    if (missing !== undefined) return;
    const data = { displayName: name, phrases };
    const payload = topic && before ? { id: topic.id, data: changesOf(before, { ...data, isHidden }) } : { data };
    void save.run({ payload }, ({ topic: saved }) => {
      onDone();
      const { displayName, isMatched } = saved.data;
      toast(
        isMatched
          ? t('{topic} saved.', { topic: displayName })
          : t('{topic} saved. Its answers are being counted.', { topic: displayName }),
      );
    });
  }

  return (
    <div className={styles['form']}>
      <Form label={t('Topic')} onSubmit={submit}>
        <TextField
          label={t('Name')}
          autoComplete="off"
          limit={LONGEST_TOPIC}
          readOnly={save.isPending}
          value={name}
          error={save.problemOf('payload.data.displayName')}
          onChange={({ currentTarget }) => {
            save.reset();
            setName(currentTarget.value);
          }}
        />
        <Textarea
          label={t('Phrases')}
          description={t('One on each line, of up to three words. With * at its end, it matches longer words: price* matches prices.')}
          autosize
          minRows={4}
          maxRows={10}
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          readOnly={save.isPending}
          value={typed}
          error={problem}
          onChange={({ currentTarget }) => {
            save.reset();
            setTyped(currentTarget.value);
            updatePreview(currentTarget.value);
          }}
        />
        <Preview phrases={previewPhrases} />
        {topic && (
          <Switch
            label={t('Show in the overview')}
            checked={!isHidden}
            onChange={({ currentTarget }) => !save.isPending && setHidden(!currentTarget.checked)}
          />
        )}
        <Submit
          missing={missing}
          isPending={save.isPending}
          failure={save.problemOf('payload.data.displayName') ? undefined : save.failure}
        >
          {t('Save topic')}
        </Submit>
      </Form>
      {topic && <Endings topic={topic} topics={topics} onDone={onDone} />}
    </div>
  );
}

type TopicSettings = Pick<FeedbackTopic['data'], 'displayName' | 'phrases' | 'isHidden'>;

/** Returns the settings that differ, so that those that a teammate has changed since stay. */
const changesOf = (before: TopicSettings, after: TopicSettings): Partial<TopicSettings> =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(value, before[name as keyof TopicSettings])));

/** Returns the phrases on the lines, and what is wrong with the first that can't be used. */
function phrasesIn(typed: string): { readonly phrases: string[]; readonly problem: string | undefined } {
  const results = typed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [{ line, result: v.safeParse(topicPhrase, line) }]));
  const phrases = [...new Set(results.flatMap(({ result }) => (result.success ? [result.output] : [])))];
  const wrong = results.find(({ result }) => !result.success);
  const [issue] = wrong?.result.issues ?? [];
  return {
    phrases,
    problem: issue && t('“{phrase}”: {problem}', { phrase: wrong?.line.trim() ?? '', problem: translatedMessage(issue.message) }),
  };
}

/** The answers that have any of the phrases. */
function Preview({ phrases }: { phrases: readonly string[] }) {
  const { account } = useTeam();
  const { data, isError } = useQuery({
    ...topicPreviewQuery(useSource(), { accountId: account.id, phrases: [...phrases] }),
    enabled: phrases.length > 0,
  });
  if (phrases.length === 0) return <p className={styles['quiet']}>{t('The answers that match appear here.')}</p>;
  if (isError) return <Notice tone="bad">{t('We couldn’t count the answers.')}</Notice>;
  if (!data) return <p className={styles['quiet']}>{t('Counting…')}</p>;
  const count =
    data.count > MOST_RESULTS
      ? t('More than {most} answers match.', { most: MOST_RESULTS })
      : t.count(data.count, '{count} answer matches.', '{count} answers match.');
  return (
    <section aria-label={t('Answers that match')}>
      <p role="status">
        <strong>{count}</strong>
      </p>
      <ul className={styles['examples']}>
        {data.feedback.slice(0, EXAMPLES).map(({ id, data: answer }) => (
          <li key={id}>
            <Face rating={answer.rating} size={20} />
            <span dir="auto">{answer.textFeedback}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The answers shown while editing. */
const EXAMPLES = 4;

/** Merges a topic into another one, or deletes it. */
function Endings({ topic, topics, onDone }: { topic: FeedbackTopic; topics: readonly FeedbackTopic[]; onDone: () => void }) {
  const merge = useAction('topic', 'merge');
  const remove = useAction('topic', 'delete', { allowNotFound: true });
  const [isAsking, asking] = useLayer(`delete-${topic.id}`);
  const [otherId, setOtherId] = useState('');
  const { displayName } = topic.data;
  const others = topics.filter(({ id }) => id !== topic.id);
  return (
    <div className={styles['endings']}>
      {others.length > 0 && (
        <div className={styles['merge']}>
          <NativeSelect
            label={t('Merge into another topic')}
            value={otherId}
            onChange={({ currentTarget }) => setOtherId(currentTarget.value)}
            data={[{ value: '', label: t('Choose a topic') }, ...others.map(({ id, data }) => ({ value: id, label: data.displayName }))]}
          />
          <Button
            variant="default"
            disabled={otherId === ''}
            loading={merge.isPending}
            onClick={() =>
              void merge.run({ topicId: topic.id, otherTopicId: otherId }, (answer) => {
                onDone();
                toast(t('{topic} is now part of {other}.', { topic: displayName, other: answer.topic.data.displayName }));
              })
            }
          >
            {t('Merge')}
          </Button>
        </div>
      )}
      <Notice tone="bad">{merge.failure}</Notice>
      <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
        {t('Delete topic')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Delete {name}?', { name: displayName })}
        action={{
          ...remove,
          label: t('Delete topic'),
          run: () =>
            void remove.run({ topicId: topic.id }, () => {
              onDone();
              toast(t('{name} was deleted.', { name: displayName }));
            }),
        }}
      >
        {t.count(
          topic.data.phrases.length,
          'Its name and {count} phrase are deleted. The answers stay.',
          'Its name and {count} phrases are deleted. The answers stay.',
        )}
      </ConfirmDialog>
    </div>
  );
}

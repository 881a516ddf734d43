import { IconDownload, IconEraser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { MOST_IN_FILE, privacyOperations } from '#contract/privacy/privacy.ts';
import type { Done } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { propertyName, propertyZone, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { download } from '../../ui/download.ts';
import { Face } from '../../ui/Face.tsx';
import { ratingWord } from '../../ui/format/rating.ts';
import { day, exactly } from '../../ui/format/time.ts';
import { TextField } from '../../ui/forms/Fields.tsx';
import { Form } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { Rich } from '../../ui/Rich.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './VisitorRequests.module.css';

/** The answers with a contact. */
interface Matches extends Pick<Done<'privacy', 'find'>, 'feedback' | 'count' | 'requests'> {
  readonly contact: string;
}

/** Finds what a visitor gave by email address or phone number, to download or erase it (docs/rules.md#visitors-rights). */
export function VisitorRequests() {
  const find = useAction('privacy', 'find');
  const [matches, setMatches] = useState<Matches>();
  const [erased, setErased] = useState<number>();
  const form = useForm({ initialValues: { contact: '' }, schema: privacyOperations.find.input, action: find, onChange: clear });

  function clear(): void {
    setMatches(undefined);
    setErased(undefined);
  }

  function search(contact: string): void {
    clear();
    void find.run({ contact }, ({ feedback, count, requests }) => {
      // Another contact may have been typed by now.
      if (form.getValues().contact === contact) setMatches({ contact, feedback, count, requests });
    });
  }

  function onErased(answers: number): void {
    setMatches(undefined);
    setErased(answers);
  }

  return (
    <Card
      title={t('Visitor requests')}
      lead={t('When a visitor asks what you store about them: find their answers in all properties, download them, or erase them.')}
    >
      <Form label={t('Visitor requests')} onSubmit={form.onSubmit(({ contact }) => search(contact))}>
        <div className={styles['search']}>
          <TextField
            label={t('Email address or phone number')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('contact')}
          />
          <Button type="submit" loading={find.isPending}>
            {t('Find')}
          </Button>
        </div>
        <Notice tone="bad">{find.problemOf('contact') === undefined && find.failure}</Notice>
      </Form>
      {matches && matches.count + matches.requests === 0 && <Notice tone="plain">{t('No answer has this address or number.')}</Notice>}
      {matches && matches.count + matches.requests > 0 && (
        <Answers key={matches.contact} matches={matches} onErased={onErased} onStopped={() => search(matches.contact)} />
      )}
      {erased !== undefined && <Erased answers={erased} />}
    </Card>
  );
}

/** Takes the focus, because the button that opened the confirmation is gone. */
function Erased({ answers }: { answers: number }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => line.current?.focus(), []);
  return (
    <div ref={line} tabIndex={-1}>
      <Notice tone="good">{t.count(answers, '{count} answer erased.', '{count} answers erased.')}</Notice>
    </div>
  );
}

interface AnswersProps {
  readonly matches: Matches;
  readonly onErased: (answers: number) => void;
  /** Called if erasing was canceled after some answers were erased. */
  readonly onStopped: () => void;
}

function Answers(props: AnswersProps) {
  const { contact, feedback, count, requests } = props.matches;
  const [isAsking, asking] = useLayer('erase-visitor');
  const file = useAction('privacy', 'file');
  const total =
    requests === 0
      ? countOf(count)
      : t('{answers} and {requests}', {
          answers: countOf(count),
          requests: t.count(requests, '{count} emailed request', '{count} emailed requests'),
        });

  return (
    <section className={styles['answers']} aria-label={t('Answers')}>
      <p role="status">
        <Rich
          text={
            feedback.length < count
              ? t('<total>{total}</total>. The newest {newest} can be listed.', { total, newest: feedback.length })
              : `<total>${total}</total>`
          }
          parts={{ total: (text) => <strong>{text}</strong> }}
        />
      </p>
      <AnswerList feedback={feedback} />
      <div className={styles['actions']}>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={file.isPending}
          onClick={() =>
            void file.run({ contact }, ({ name, content }) => download(new Blob([content], { type: 'application/json' }), name))
          }
        >
          {t('Download as a file')}
        </Button>
        <Button variant="default" c="var(--c-danger-text)" leftSection={<IconEraser size={16} aria-hidden />} onClick={asking.open}>
          {t('Erase')}
        </Button>
      </div>
      <Notice tone="bad">{file.failure}</Notice>
      <EraseDialog {...props} total={total} isOpen={isAsking} onClose={asking.close} />
    </section>
  );
}

interface EraseDialogProps extends AnswersProps {
  /** What is erased, in words. */
  readonly total: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Erases the answers after a confirmation. Closing it stops after the current call. */
function EraseDialog({ matches: { contact, count, requests }, total, isOpen, onClose, onErased, onStopped }: EraseDialogProps) {
  const erasing = useErasing(contact, {
    onStopped,
    onDone(answers) {
      onClose();
      onErased(answers);
    },
  });

  function close(): void {
    onClose();
    erasing.stop();
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={t('Erase what {contact} gave?', { contact })}
      action={{ ...erasing, label: t('Erase'), run: () => void erasing.run() }}
    >
      <p>
        {requests > 0
          ? t(
              'Erase the words and contact details of {total}? Ratings stay in the numbers. The address won’t be asked for feedback again. This can’t be undone.',
              { total },
            )
          : t('Erase the words and contact details of {total}? Ratings stay in the numbers. This can’t be undone.', { total })}
      </p>
      <p role="status">{erasing.answers > 0 && t('{erased} of {total} erased.', { erased: erasing.answers, total: countOf(count) })}</p>
    </ConfirmDialog>
  );
}

const countOf = (count: number): string =>
  count >= MOST_IN_FILE ? t('{most} or more answers', { most: MOST_IN_FILE }) : t.count(count, '{count} answer', '{count} answers');

/** Erases a visitor's answers, one call after another until none is left. */
function useErasing(
  contact: string,
  { onDone, onStopped }: { readonly onDone: (answers: number) => void; readonly onStopped: () => void },
) {
  const { run, failure, reset } = useAction('privacy', 'erase');
  const [isPending, setPending] = useState(false);
  const [answers, setAnswers] = useState(0);
  const isStopped = useRef(false);

  async function eraseAll(): Promise<void> {
    isStopped.current = false;
    setPending(true);
    let [erased, left] = [answers, 1];
    let isSuccess = true;
    while (left > 0 && isSuccess && !isStopped.current) {
      isSuccess = await run({ contact }, (answer) => {
        erased += answer.erased;
        left = answer.left;
      });
      setAnswers(erased);
    }
    setPending(false);
    if (left === 0) onDone(erased);
    else if (isStopped.current && erased > 0) onStopped();
  }

  return {
    isPending,
    failure,
    reset,
    answers,
    run: eraseAll,
    /** Stops after the current call. */
    stop(): void {
      isStopped.current = true;
      if (!isPending && answers > 0) onStopped();
    },
  };
}

/** The answers listed at first. */
const SHORT = 5;

function AnswerList({ feedback }: Pick<Matches, 'feedback'>) {
  const [isLong, setLong] = useState(false);
  return (
    <>
      <ul className={styles['list']}>
        {(isLong ? feedback : feedback.slice(0, SHORT)).map((item) => (
          <Answer key={item.id} item={item} />
        ))}
      </ul>
      {!isLong && feedback.length > SHORT && (
        <p>
          <TextLink onClick={() => setLong(true)}>{t('Show all {count}', { count: feedback.length })}</TextLink>
        </p>
      )}
    </>
  );
}

/** An answer, linked to the feed. */
function Answer({ item: { id, data } }: { item: Feedback }) {
  const team = useTeam();
  const { projectId, created, rating, textFeedback } = data;
  return (
    <li>
      <Link to={team.paths.feed} search={{ id }} className={styles['row']}>
        <Face rating={rating} />
        <span className={styles['name']}>
          {t('{rating}, {property}', { rating: ratingWord(rating), property: propertyName(team, projectId) })}
        </span>
        <time dateTime={new Date(created).toISOString()} title={exactly(created, propertyZone(team, projectId))}>
          {day(created)}
        </time>
        <span className={styles['words']} dir="auto">
          {textFeedback === undefined ? t('No words') : t('“{text}”', { text: textFeedback })}
        </span>
      </Link>
    </li>
  );
}

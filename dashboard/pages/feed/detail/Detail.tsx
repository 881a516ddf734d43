import { IconChevronDown, IconChevronUp, IconMail, IconPhone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { RATING_WORDS, viewOf } from '#contract/rating.ts';
import { formQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { propertyName, useTeam } from '../../../frame/team.ts';
import { Face } from '../../../ui/Face.tsx';
import { ActionIcon, Button } from '../../../ui/mantine.ts';
import { ago, exactly } from '../../../ui/time.ts';
import { DETAIL_HEADING } from '../selection.ts';
import { Answers, Details, questionsOf } from './Answers.tsx';
import styles from './Detail.module.css';
import { Suspicion } from './Suspicion.tsx';

interface DetailProps {
  readonly item: Feedback;
  readonly now: number;
  readonly steps: ReactNode;
}

/** One piece of feedback in full. */
export function Detail({ item, now, steps }: DetailProps) {
  const team = useTeam();
  const { data: form } = useQuery(formQuery(useSource(), item.data.formId));
  const { rating, textFeedback, contact, created, projectId, kind, responses } = item.data;
  const questionOf = questionsOf(form, viewOf(rating));
  const written = textFeedback === undefined ? undefined : responses.find(({ block }) => block === 'OpenText');
  return (
    <article className={styles['detail']} aria-labelledby={DETAIL_HEADING}>
      <header className={styles['head']}>
        <Face rating={rating} size={40} />
        <div className={styles['name']}>
          <h2 id={DETAIL_HEADING} tabIndex={-1}>
            {RATING_WORDS[rating]} visit
          </h2>
          <p>
            {propertyName(team, projectId)} · <time dateTime={new Date(created).toISOString()}>{ago(created, now)}</time>
            {item.gs1sk === 'URGENT' && <span className={styles['urgent']}>Urgent</span>}
          </p>
        </div>
        {steps}
      </header>
      <Suspicion item={item} />
      {written === undefined ? (
        <p className={styles['none']}>No text was left.</p>
      ) : (
        <figure>
          <figcaption className={styles['question']}>{questionOf(written)}</figcaption>
          <blockquote className={styles['text']}>{textFeedback}</blockquote>
        </figure>
      )}
      {kind === 'contact me' && <Contact contact={contact} />}
      <Answers responses={responses.filter((each) => each !== written)} questionOf={questionOf} />
      <Details item={item} received={exactly(created)} />
    </article>
  );
}

interface StepsProps {
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** Buttons to the feedback before and after in the list. */
export function Steps({ onPrevious, onNext }: StepsProps) {
  return (
    <div className={styles['steps']}>
      <Step label="Previous feedback" shortcut="k" onClick={onPrevious}>
        <IconChevronUp size={20} aria-hidden />
      </Step>
      <Step label="Next feedback" shortcut="j" onClick={onNext}>
        <IconChevronDown size={20} aria-hidden />
      </Step>
    </div>
  );
}

function Step({
  label,
  shortcut,
  onClick,
  children,
}: {
  label: string;
  shortcut: string;
  onClick: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <ActionIcon
      variant="subtle"
      size="xl"
      aria-label={label}
      title={`${label} (${shortcut.toUpperCase()})`}
      aria-keyshortcuts={shortcut}
      aria-disabled={onClick === undefined}
      className={styles['step'] ?? ''}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}

/** A visitor who asked to be contacted, and how: one tap calls or writes. */
function Contact({ contact }: { contact: Feedback['data']['contact'] }) {
  if (!contact) return <p className={styles['contact']}>Wants to be contacted. The details come as soon as the server answers.</p>;
  const { name, phone, email } = contact;
  return (
    <section className={styles['contact']} aria-label="Contact">
      <p>
        <strong>{name ?? 'This visitor'}</strong> wants to be contacted
      </p>
      <div className={styles['contactActions']}>
        {phone && (
          <Button
            component="a"
            href={`tel:${phone.replace(/[^\d+]/g, '')}`}
            leftSection={<IconPhone size={16} aria-hidden />}
            variant="default"
          >
            {phone}
          </Button>
        )}
        {email && (
          <Button
            component="a"
            href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
            leftSection={<IconMail size={16} aria-hidden />}
            variant="default"
          >
            {email}
          </Button>
        )}
      </div>
    </section>
  );
}

import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { Feedback, Response } from '#contract/feedback.ts';
import type { Form } from '#contract/form.ts';
import { RATING_WORDS, type RatingView } from '#contract/rating.ts';
import { propertyName, useTeam } from '../../../frame/team.ts';
import { exactly } from '../../../ui/time.ts';
import { KIND_LABELS, SOURCE_LABELS } from '../labels.ts';
import styles from './Answers.module.css';

/** Questions of the form with what the visitor answered. */
export function Answers({ responses, questionOf }: { responses: readonly Response[]; questionOf: QuestionOf }) {
  return (
    <Section title="Answers">
      {responses.map((response) => (
        <div key={response.uuid}>
          <dt>{questionOf(response)}</dt>
          <dd>{answerText(response)}</dd>
        </div>
      ))}
    </Section>
  );
}

function answerText(response: Response): string {
  switch (response.block) {
    case 'EmojiGauge':
      return RATING_WORDS[response.response];
    case 'OpenText':
      return response.response.trim() || '(no text)';
    case 'ContactMe':
      return response.response.answer;
    case 'ExternalReview':
      return `Opened ${response.response.service}`;
  }
}

const BLOCK_LABELS: Record<Response['block'], string> = {
  EmojiGauge: 'Rating',
  OpenText: 'Text',
  ContactMe: 'Contact',
  ExternalReview: 'Review',
};

type QuestionOf = (response: Pick<Response, 'uuid' | 'block'>) => string;

/** What the visitor was asked, as far as the form still has the question; else what kind of question it was. */
export function questionsOf(form: Form | undefined, view: RatingView): QuestionOf {
  const blocks = new Map(form?.data.steps.flatMap(({ blocks = [] }) => blocks).map((block) => [block.uuid, block]));
  return ({ uuid, block: kind }) => {
    const block = blocks.get(uuid);
    if (!block) return BLOCK_LABELS[kind];
    return block.prompts?.[view] ?? block.title;
  };
}

/** What is known about the feedback besides its answers. */
export function Details({ item: { data }, received }: { item: Feedback; received: string }) {
  const team = useTeam();
  const { projectId, kind, source, converted, diagnostics, url } = data;
  const name = propertyName(team, projectId);
  const isThere = team.properties.some(({ id }) => id === projectId);
  return (
    <Section title="Details">
      <Fact name="Property">{isThere ? <Link to={team.paths.propertyFeedback(projectId)}>{name}</Link> : name}</Fact>
      <Fact name="Received">{received}</Fact>
      <Fact name="Kind">{KIND_LABELS[kind]}</Fact>
      <Fact name="Source">{SOURCE_LABELS[source]}</Fact>
      <Fact name="Review">{converted === undefined ? 'Not opened' : `Opened ${exactly(converted)}`}</Fact>
      {diagnostics && (
        <Fact name="Screen">
          {diagnostics.screen.width} × {diagnostics.screen.height}
        </Fact>
      )}
      {url && <Fact name="Page">{url}</Fact>}
    </Section>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A part of the detail: names on the left, values on the right. */
function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl>{children}</dl>
    </section>
  );
}

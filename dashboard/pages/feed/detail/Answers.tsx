import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { Feedback, Response } from '#contract/feedback/feedback.ts';
import { RATING_WORDS, type RatingView, viewOf } from '#contract/feedback/rating.ts';
import type { Form } from '#contract/form/form.ts';
import { formVersionQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { propertyName, useTeam } from '../../../frame/team.ts';
import { exactly } from '../../../ui/format/time.ts';
import styles from './Answers.module.css';

/**
 * What else the form asked, in the words that it had then (docs/rules.md#form-versions), with what the visitor answered: the
 * rating, the words and the contact stand above already.
 */
export function Answers({ item: { data } }: { item: Feedback }) {
  const others = data.responses.filter((response) => !isShownAbove(response, data));
  const { data: asked, isPending } = useQuery({
    ...formVersionQuery(useSource(), data.formId, data.formVersion),
    enabled: others.length > 0,
  });
  if (others.length === 0) return null;
  const questionOf = questionsOf(asked?.form, viewOf(data.rating));
  return (
    <Section title="Answers">
      {others.map((response) => (
        <div key={response.uuid}>
          <dt>{isPending ? ' ' : questionOf(response)}</dt>
          <dd dir="auto">{answerText(response)}</dd>
        </div>
      ))}
    </Section>
  );
}

/** What the visitor was asked when they wrote their words. Room for it is kept while it loads. */
export function Question({ item: { data } }: { item: Feedback }) {
  const { data: asked } = useQuery(formVersionQuery(useSource(), data.formId, data.formVersion));
  const written = data.responses.find(({ block, response }) => block === 'OpenText' && response.trim() === data.textFeedback?.trim());
  if (!written) return null;
  return <p className={styles['question']}>{asked ? questionsOf(asked.form, viewOf(data.rating))(written) : ' '}</p>;
}

function isShownAbove(response: Response, { rating, textFeedback }: Feedback['data']): boolean {
  switch (response.block) {
    case 'EmojiGauge':
      return response.response === rating;
    case 'OpenText':
      return response.response.trim() === '' || response.response.trim() === textFeedback?.trim();
    case 'ContactMe':
    case 'ExternalReview':
      return true;
  }
}

function answerText(response: Response): string {
  switch (response.block) {
    case 'EmojiGauge':
      return RATING_WORDS[response.response];
    case 'OpenText':
      return response.response.trim();
    case 'ContactMe':
      return response.response.answer;
    case 'ExternalReview':
      return response.response.service;
  }
}

const BLOCK_LABELS: Record<Response['block'], string> = {
  EmojiGauge: 'Rating',
  OpenText: 'Comment',
  ContactMe: 'Contact',
  ExternalReview: 'Review',
};

/** What the visitor was asked, as far as the form had the question; else what kind of question it was. */
function questionsOf(form: Form | undefined, view: RatingView): (response: Response) => string {
  const blocks = new Map(form?.data.steps.flatMap(({ blocks = [] }) => blocks).map((block) => [block.uuid, block]));
  return ({ uuid, block: kind }) => {
    const block = blocks.get(uuid);
    if (!block) return BLOCK_LABELS[kind];
    return block.prompts?.[view] ?? block.title;
  };
}

/** What is known about the feedback besides its answers. */
export function Details({ item: { data }, zone }: { item: Feedback; zone: string | undefined }) {
  const team = useTeam();
  const { projectId, converted, diagnostics, url, userId } = data;
  const name = propertyName(team, projectId);
  const isThere = team.properties.some(({ id }) => id === projectId);
  return (
    <Section title="Details">
      <Fact name="Property">{isThere ? <Link to={team.paths.propertyFeedback(projectId)}>{name}</Link> : name}</Fact>
      <Fact name="Received">
        <time dateTime={new Date(data.created).toISOString()}>{exactly(data.created, zone)}</time>
      </Fact>
      <Fact name="Review link">{converted === undefined ? 'Not opened' : `Opened ${exactly(converted, zone)}`}</Fact>
      {diagnostics && <Fact name="Device">{deviceOf(diagnostics.screen)}</Fact>}
      {url && <Fact name="Page">{url}</Fact>}
      {userId && <Fact name="Visitor’s id in the link">{userId}</Fact>}
    </Section>
  );
}

/** The narrower side of a screen (CSS pixels) that a tablet and a computer have at least. */
const TABLET = 600;
const COMPUTER = 1000;

/** "Phone, 375 × 812": what kind of device a screen belongs to, as far as its size tells. */
function deviceOf({ width, height }: { readonly width: number; readonly height: number }): string {
  const side = Math.min(width, height);
  const wide = Math.max(width, height);
  const kind = side < TABLET ? 'Phone' : side >= COMPUTER || wide / side > 1.5 ? 'Computer' : 'Tablet';
  return `${kind}, ${width} × ${height}`;
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

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Feedback, Response } from '#contract/feedback/feedback.ts';
import { type RatingView, viewOf } from '#contract/feedback/rating.ts';
import type { Form } from '#contract/form/form.ts';
import { languageName } from '#contract/language/languages.ts';
import { translatable } from '#contract/language/translate.ts';
import { formVersionQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { languageShown, t } from '../../../language.ts';
import { ratingWord } from '../../../ui/format/rating.ts';
import { exactly } from '../../../ui/format/time.ts';
import styles from './Answers.module.css';

/**
 * The answers that the detail doesn't show elsewhere (rating, words, contact), each under the question as it was worded when
 * the visitor answered (docs/rules.md#form-versions).
 */
export function Answers({ item: { data } }: { item: Feedback }) {
  const heading = useId();
  const rest = data.responses.filter((response) => !isShownAbove(response, data));
  const { data: version, isPending } = useQuery({
    ...formVersionQuery(useSource(), data.formId, data.formVersion),
    enabled: rest.length > 0,
  });
  if (rest.length === 0) return null;
  const questionOf = questionsOf(version?.form, viewOf(data.rating));
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className="visually-hidden">
        {t('Answers')}
      </h3>
      <dl className={styles['answers']}>
        {rest.map((response) => (
          <div key={response.uuid}>
            <dt>{isPending ? ' ' : questionOf(response)}</dt>
            <dd dir="auto">{answerText(response)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The question that the visitor's words answer. Its line is reserved while it loads. */
export function Question({ item: { data } }: { item: Feedback }) {
  const { data: version } = useQuery(formVersionQuery(useSource(), data.formId, data.formVersion));
  const textResponse = data.responses.find(({ block, response }) => block === 'OpenText' && response.trim() === data.textFeedback?.trim());
  const question = version && textResponse && questionsOf(version.form, viewOf(data.rating))(textResponse);
  return <p className={styles['question']}>{question}</p>;
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
      return ratingWord(response.response);
    case 'OpenText':
      return response.response.trim();
    case 'ContactMe':
      return response.response.answer;
    case 'ExternalReview':
      return response.response.service;
  }
}

const BLOCK_LABELS = translatable({
  EmojiGauge: 'Rating',
  OpenText: 'Comment',
  ContactMe: 'Contact',
  ExternalReview: 'Review',
} satisfies Record<Response['block'], string>);

/** Returns a lookup of each response's question in the form; falls back to the kind of question. */
function questionsOf(form: Form | undefined, view: RatingView): (response: Response) => string {
  const blocks = new Map(form?.data.steps.flatMap(({ blocks = [] }) => blocks).map((block) => [block.uuid, block]));
  return ({ uuid, block: kind }) => {
    const block = blocks.get(uuid);
    if (!block) return t(BLOCK_LABELS[kind]);
    return block.prompts?.[view] ?? block.title;
  };
}

/** The feedback's time, review link, device and page, in one line where they fit. */
export function Facts({ item: { data }, zone }: { item: Feedback; zone: string | undefined }) {
  const { converted, diagnostics, url, userId, language, orderNumber } = data;
  return (
    <dl className={styles['facts']}>
      <Fact name={t('Received')}>
        <time dateTime={new Date(data.created).toISOString()}>{exactly(data.created, zone)}</time>
      </Fact>
      <Fact name={t('Review link')}>
        {converted === undefined ? t('Not opened') : t('Opened {time}', { time: exactly(converted, zone) })}
      </Fact>
      {language && <Fact name={t('Language')}>{languageName(language, languageShown())}</Fact>}
      {orderNumber !== undefined && <Fact name={t('Order number')}>{orderNumber}</Fact>}
      {diagnostics && <Fact name={t('Device')}>{deviceOf(diagnostics.screen)}</Fact>}
      {url && <Fact name={t('Page')}>{url}</Fact>}
      {userId && <Fact name={t('Visitor’s id in the link')}>{userId}</Fact>}
    </dl>
  );
}

/** The least width of a tablet's and a computer's shorter side (CSS pixels). */
const TABLET = 600;
const COMPUTER = 1000;

/** Guesses the kind of device from its screen size: "Phone, 375 × 812". */
function deviceOf({ width, height }: { readonly width: number; readonly height: number }): string {
  const short = Math.min(width, height);
  const long = Math.max(width, height);
  const kind = short < TABLET ? t.in('device', 'Phone') : short >= COMPUTER || long / short > 1.5 ? t('Computer') : t('Tablet');
  return `${kind}, ${width} × ${height}`;
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

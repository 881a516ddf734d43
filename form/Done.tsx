import type { MouseEvent } from 'react';
import type { Block } from '#contract/form.ts';
import type { FormProps } from '#contract/form-page.ts';
import { answersPath, countedReviewPath, formPath, givenTo, isReachable, reviewPath } from '#contract/form-page.ts';
import { viewOf } from '#contract/rating.ts';
import type { ReviewService } from '#contract/review.ts';
import { blockOf, stepOf } from '#contract/steps.ts';
import { ExternalReview } from './blocks/ExternalReview.tsx';

interface DoneProps extends FormProps {
  /** Whether React has taken over. */
  readonly isLive: boolean;
  readonly onChange: () => void;
  readonly onReview: (block: Block, service: ReviewService) => void;
}

/** What follows the first step: an apology, thanks, or thanks with an invitation to review. */
export function Done({ onChange, ...props }: DoneProps) {
  const { steps, given, left, place, formId, submissionKey, hasScript, isLive } = props;
  const rating = givenTo(given, 'EmojiGauge');
  const view = rating === undefined ? 'okay' : viewOf(rating);
  const step = stepOf(steps, view === 'bad' ? 'sorry' : 'thanks');
  const contact = blockOf(stepOf(steps, 'experience'), 'ContactMe');
  const isAsked = contact && isReachable(contact, left);
  const change = (event: MouseEvent) => {
    event.preventDefault();
    onChange();
  };
  return (
    <>
      <h1 tabIndex={-1}>{step.title}</h1>
      {step.subtitle && <p>{step.subtitle}</p>}
      {isAsked && <p>You asked to be contacted: somebody from {place} will be in touch.</p>}
      <Invitation {...props} />
      <p className="foot">
        You can close this page now.{' '}
        {rating !== undefined && (isLive || !hasScript) && (
          <a href={isLive ? formPath(formId) : answersPath(formId, submissionKey)} onClick={change}>
            Change my answer
          </a>
        )}
      </p>
    </>
  );
}

/** Who is invited is the form's setting; the links are the same for everyone who sees them (docs/rules.md#review-invitation). */
function Invitation({ steps, given, inviteToReview, formId, submissionKey, hasScript, isLive, onReview }: Omit<DoneProps, 'onChange'>) {
  const rating = givenTo(given, 'EmojiGauge');
  const step = stepOf(steps, 'spread the word');
  const block = blockOf(step, 'ExternalReview');
  const isGood = rating !== undefined && viewOf(rating) === 'good';
  const isInvited = rating !== undefined && (isGood || inviteToReview === 'everyone');
  if (!isInvited || !block?.service?.length) return null;
  return (
    <section aria-labelledby="review">
      <h2 id="review">{isGood ? step.title : 'Tell others about your visit'}</h2>
      {isGood && step.subtitle && <p>{step.subtitle}</p>}
      <ExternalReview
        block={block}
        hrefOf={(service) => (isLive || hasScript ? reviewPath(formId, service) : countedReviewPath(formId, service, submissionKey))}
        onOpen={(service) => onReview(block, service)}
      />
    </section>
  );
}

import type { MouseEvent } from 'react';
import type { FormProps } from '#contract/form-page.ts';
import { answersPath, givenTo, reviewPath } from '#contract/form-page.ts';
import { viewOf } from '#contract/rating.ts';
import { blockOf, stepOf } from '#contract/steps.ts';
import { ExternalReview } from './blocks/ExternalReview.tsx';

interface DoneProps extends FormProps {
  readonly onChange: () => void;
}

/** What follows the first step: an apology, thanks, or thanks with an invitation to review. */
export function Done({ onChange, ...props }: DoneProps) {
  const { steps, given, place, formId, submissionKey } = props;
  const rating = givenTo(given, 'EmojiGauge');
  const view = rating === undefined ? 'okay' : viewOf(rating);
  const step = stepOf(steps, view === 'bad' ? 'sorry' : 'thanks');
  const asked = givenTo(given, 'ContactMe')?.answer === 'Yes';
  const change = (event: MouseEvent) => {
    event.preventDefault();
    onChange();
  };
  return (
    <>
      <h1 tabIndex={-1}>{step.title}</h1>
      {step.subtitle && <p>{step.subtitle}</p>}
      {asked && <p>You asked to be contacted: somebody from {place} will be in touch.</p>}
      <Invitation {...props} />
      <p className="foot">
        You can close this page now.{' '}
        {rating !== undefined && (
          <a href={answersPath(formId, submissionKey)} onClick={change}>
            Change my answer
          </a>
        )}
      </p>
    </>
  );
}

/** Who is invited is the form's setting; the links are the same for everyone who sees them (docs/rules.md#review-invitation). */
function Invitation({ steps, given, inviteToReview, formId, submissionKey }: FormProps) {
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
      <ExternalReview block={block} hrefOf={(service) => reviewPath(formId, service, submissionKey)} />
    </section>
  );
}

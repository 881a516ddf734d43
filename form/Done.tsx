import type { MouseEvent } from 'react';
import { viewOf } from '#contract/feedback/rating.ts';
import type { Block } from '#contract/form/form.ts';
import type { FormProps } from '#contract/form/form-page.ts';
import {
  answersPath,
  answerTo,
  conversationPath,
  countedReviewPath,
  formPath,
  isReachable,
  KEY_FIELD,
  reviewPath,
  rightsPath,
} from '#contract/form/form-page.ts';
import type { ReviewService } from '#contract/form/review.ts';
import { blockOf, stepOf } from '#contract/form/steps.ts';
import { filled } from '#contract/language/words.ts';
import { ExternalReview } from './blocks/ExternalReview.tsx';
import { Face } from './Face.tsx';
import { Notice } from './Notice.tsx';
import type { AnswerStatus } from './visit.ts';

interface DoneProps extends FormProps {
  /** The status of the answers. Only accepted ones are shown as arrived. */
  readonly standing: AnswerStatus | undefined;
  /** The page has hydrated. */
  readonly isLive: boolean;
  readonly onChange: () => void;
  readonly onReview: (block: Block, service: ReviewService) => void;
  /** Called when the next visitor starts. */
  readonly onNext: () => void;
}

/** The last screen: an apology, thanks, or thanks with an invitation to review. */
export function Done({ onChange, onNext, standing = 'accepted', ...props }: DoneProps) {
  const { steps, given, left, place, formId, submissionKey, hasScript, isLive, words, privatePage } = props;
  const rating = answerTo(given, 'EmojiGauge');
  const view = rating === undefined ? 'okay' : viewOf(rating);
  const step = stepOf(steps, view === 'bad' ? 'sorry' : 'thanks');
  const blocks = stepOf(steps, 'experience').blocks ?? [];
  const hasArrived = standing === 'accepted';
  const hasText = view === 'bad' && hasArrived && blocks.some(({ blockType, uuid }) => blockType === 'OpenText' && left.includes(uuid));
  const wantsContact = blocks.some((block) => block.blockType === 'ContactMe' && isReachable(block, left));
  const notice = props.notice ?? (hasArrived || standing === 'sending' ? undefined : standing);
  const change = (event: MouseEvent) => {
    event.preventDefault();
    onChange();
  };
  const toPrivatePage = hasArrived && rating !== undefined && (
    <form
      className="answer"
      method="post"
      action={privatePage ? rightsPath(formId) : conversationPath(formId)}
      target={props.embed && '_blank'}
    >
      <input type="hidden" name={KEY_FIELD} value={submissionKey} />
      <button type="submit">{privatePage ?? words.answer}</button>
      {!privatePage && <p className="hint">{words.answerMore}</p>}
    </form>
  );
  return (
    <div className="done">
      {rating && (
        <div className={`chosen r${rating}`}>
          <Face rating={rating} />
        </div>
      )}
      <h1 tabIndex={-1}>{step.title}</h1>
      {step.subtitle && <p>{step.subtitle}</p>}
      {hasText && <p>{filled(words.teamSees, { place })}</p>}
      {wantsContact && hasArrived && <p>{filled(words.teamReplies, { place })}</p>}
      <div className="line" hidden={!notice}>
        <Notice notice={notice} words={words} />
      </div>
      <Invitation {...props} />
      {!privatePage && toPrivatePage}
      <p className="foot">
        {hasArrived ? words.closePage : words.keepOpen}{' '}
        {rating !== undefined && (isLive || !hasScript) && (
          <a href={isLive ? formPath(formId) : answersPath(formId, props)} onClick={change}>
            {words.change}
          </a>
        )}
      </p>
      {privatePage && toPrivatePage}
      {(isLive || hasScript) && !props.embed && (
        <button type="button" className="next" onClick={onNext}>
          {words.next}
        </button>
      )}
    </div>
  );
}

/** The form's setting decides who is invited. The links are the same for everyone (docs/rules.md#review-invitation). */
function Invitation({
  steps,
  given,
  inviteToReview,
  formId,
  submissionKey,
  hasScript,
  isLive,
  words,
  onReview,
}: Omit<DoneProps, 'onChange' | 'onNext' | 'standing'>) {
  const rating = answerTo(given, 'EmojiGauge');
  const step = stepOf(steps, 'spread the word');
  const block = blockOf(step, 'ExternalReview');
  const isGood = rating !== undefined && viewOf(rating) === 'good';
  const isInvited = rating !== undefined && (isGood || inviteToReview === 'everyone');
  if (!isInvited || !block?.service?.length) return null;
  return (
    <section aria-labelledby="review">
      <h2 id="review">{isGood ? step.title : words.tellOthers}</h2>
      {isGood && step.subtitle && <p>{step.subtitle}</p>}
      <ExternalReview
        block={block}
        words={words}
        hrefOf={(service) => (isLive || hasScript ? reviewPath(formId, service) : countedReviewPath(formId, service, submissionKey))}
        onOpen={(service) => onReview(block, service)}
      />
    </section>
  );
}

import { type FormEvent, useRef } from 'react';
import type { Block } from '#contract/form.ts';
import type { FormProps } from '#contract/form-page.ts';
import { formPath, givenTo, KEY_FIELD } from '#contract/form-page.ts';
import type { Rating } from '#contract/rating.ts';
import { stepOf } from '#contract/steps.ts';
import { ContactMe } from './blocks/ContactMe.tsx';
import { EmojiGauge } from './blocks/EmojiGauge.tsx';
import { OpenText } from './blocks/OpenText.tsx';

interface ExperienceProps extends FormProps {
  readonly busy: boolean;
  /** Whether the rating was saved already. */
  readonly isSaved: boolean;
  readonly onRate: (form: HTMLFormElement, block: Block, rating: Rating, settled: boolean) => void;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly onTyped: () => void;
}

/** The first step: a native form that works as it is. */
export function Experience({ onRate, onSubmit, onTyped, busy, isSaved, ...props }: ExperienceProps) {
  const form = useRef<HTMLFormElement>(null);
  const step = stepOf(props.steps, 'experience');
  const rate = (block: Block, rating: Rating, settled: boolean) => form.current && onRate(form.current, block, rating, settled);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) onSubmit(event.currentTarget);
  };
  return (
    <form ref={form} id="experience" method="post" action={formPath(props.formId)} noValidate onSubmit={submit} onInput={onTyped}>
      <input type="hidden" name={KEY_FIELD} value={props.submissionKey} readOnly />
      {step.blocks?.map((block) => (
        <BlockOf key={block.uuid} block={block} props={props} question={step.title} isSaved={isSaved} onRate={rate} />
      ))}
      <button type="submit" className="button" aria-disabled={busy || undefined}>
        {busy ? 'Sending…' : 'Submit feedback'}
      </button>
      <p className="foot">Anonymous unless you choose to leave your details.</p>
    </form>
  );
}

interface BlockOfProps {
  readonly block: Block;
  readonly props: FormProps;
  readonly question: string;
  readonly isSaved: boolean;
  readonly onRate: (block: Block, rating: Rating, settled: boolean) => void;
}

function BlockOf({ block, props: { given, left, errors }, question, isSaved, onRate }: BlockOfProps) {
  const error = errors[block.uuid];
  switch (block.blockType) {
    case 'EmojiGauge':
      return (
        <EmojiGauge
          block={block}
          question={question}
          given={givenTo(given, 'EmojiGauge')}
          error={error}
          isSaved={isSaved}
          onRate={(rating, settled) => onRate(block, rating, settled)}
        />
      );
    case 'OpenText':
      return <OpenText block={block} given={givenTo(given, 'OpenText')} left={left} error={error} />;
    case 'ContactMe':
      return <ContactMe block={block} given={givenTo(given, 'ContactMe')} left={left} errors={errors} />;
    default:
      return null;
  }
}

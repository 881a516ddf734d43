import type { FormEvent } from 'react';
import type { Rating } from '#contract/feedback/rating.ts';
import type { Block } from '#contract/form/form.ts';
import type { FormProps, NoticeName } from '#contract/form/form-page.ts';
import { answerTo, KEY_FIELD, LANGUAGE_FIELD, privacyPath, VERSION_FIELD } from '#contract/form/form-page.ts';
import { stepOf } from '#contract/form/steps.ts';
import { ContactMe } from './blocks/ContactMe.tsx';
import { EmojiGauge } from './blocks/EmojiGauge.tsx';
import { OpenText } from './blocks/OpenText.tsx';
import { Notice } from './Notice.tsx';

interface ExperienceProps extends FormProps {
  readonly busy: boolean;
  /** States what is saved and what isn't. */
  readonly line: NoticeName | undefined;
  /** A rating was already given, so the button sends the rest. */
  readonly isStarted: boolean;
  readonly onRate: (block: Block, rating: Rating, settled: boolean) => void;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly onTyped: () => void;
}

/** The first screen: a native form that works without JavaScript. */
export function Experience({ onRate, onSubmit, onTyped, busy, line, isStarted, ...props }: ExperienceProps) {
  const { words } = props;
  const step = stepOf(props.steps, 'experience');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) onSubmit(event.currentTarget);
  };
  return (
    // Without an action the form is posted to the page's address, including the business's parameters.
    <form id="experience" method="post" noValidate onSubmit={submit} onInput={onTyped}>
      <input type="hidden" name={KEY_FIELD} value={props.submissionKey} readOnly />
      <input type="hidden" name={VERSION_FIELD} value={props.version} readOnly />
      <input type="hidden" name={LANGUAGE_FIELD} value={props.language} readOnly />
      {step.blocks?.map((block) => (
        <BlockOf key={block.uuid} block={block} props={props} question={step.title} line={line} onRate={onRate} />
      ))}
      <button type="submit" className="button" aria-disabled={busy || undefined}>
        {busy ? words.sending : isStarted ? words.send : words.submit}
      </button>
      <p className="foot">
        {words.anonymous}{' '}
        <a href={privacyPath(props.formId, props.language)} target={props.embed && '_blank'}>
          {words.privacy}
        </a>
      </p>
    </form>
  );
}

interface BlockOfProps {
  readonly block: Block;
  readonly props: FormProps;
  readonly question: string;
  readonly line: NoticeName | undefined;
  readonly onRate: (block: Block, rating: Rating, settled: boolean) => void;
}

function BlockOf({
  block,
  props: { formId, given, left, errors, business, language, words, embed },
  question,
  line,
  onRate,
}: BlockOfProps) {
  const error = errors[block.uuid];
  switch (block.blockType) {
    case 'EmojiGauge':
      return (
        <EmojiGauge
          block={block}
          question={question}
          given={answerTo(given, 'EmojiGauge')}
          error={error}
          line={<Notice notice={error ? undefined : line} words={words} />}
          words={words}
          onRate={(rating, settled) => onRate(block, rating, settled)}
        />
      );
    case 'OpenText':
      return <OpenText block={block} given={answerTo(given, 'OpenText')} {...{ left, error, language, words }} />;
    case 'ContactMe':
      return (
        <ContactMe block={block} given={answerTo(given, 'ContactMe')} {...{ formId, left, errors, business, language, words, embed }} />
      );
    default:
      return null;
  }
}

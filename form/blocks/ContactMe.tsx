import { CONTACT_ANSWERS } from '#contract/core/contact.ts';
import type { ContactAnswer } from '#contract/feedback/feedback.ts';
import type { Block } from '#contract/form/form.ts';
import { type ContactPart, contactField, type FormProps, isReachable, privacyPath } from '#contract/form/form-page.ts';
import { filled } from '#contract/language/words.ts';
import { describedBy, LeftHint } from './LeftHint.tsx';

interface ContactMeProps extends Pick<FormProps, 'formId' | 'language' | 'left' | 'errors' | 'business' | 'words' | 'embed'> {
  readonly block: Block;
  readonly given: ContactAnswer | undefined;
}

interface PartField {
  readonly part: ContactPart;
  readonly left: 'leftName' | 'leftPhone' | 'leftEmail';
  readonly type: string;
  readonly autoComplete: string;
  readonly maxLength: number;
}

const PARTS: readonly PartField[] = [
  { part: 'name', left: 'leftName', type: 'text', autoComplete: 'name', maxLength: 100 },
  { part: 'phone', left: 'leftPhone', type: 'tel', autoComplete: 'tel', maxLength: 40 },
  { part: 'email', left: 'leftEmail', type: 'email', autoComplete: 'email', maxLength: 254 },
];

/** A contact question. CSS shows the fields below Yes; without `:has` they are always visible. */
export function ContactMe({ block, formId, language, given, left, errors, business, words, embed }: ContactMeProps) {
  const before = given?.answer ?? (isReachable(block, left) ? 'Yes' : undefined);
  return (
    <fieldset className="contact">
      <legend>{block.title}</legend>
      <div className="choices">
        {block.selections?.map(({ uuid, text, default: byDefault }, index) => {
          const answer = CONTACT_ANSWERS[index];
          return (
            <label key={uuid}>
              <input type="radio" name={block.uuid} value={answer} defaultChecked={before ? before === answer : byDefault} />
              {text}
            </label>
          );
        })}
      </div>
      <div className="who">
        <p className="hint">
          {filled(words.contactHint, { business })}{' '}
          <a href={privacyPath(formId, language)} target={embed && '_blank'}>
            {words.privacy}
          </a>
        </p>
        {PARTS.map(({ part, left: leftText, type, autoComplete, maxLength }) => {
          const name = contactField(block, part);
          const error = errors[name];
          return (
            <div className="field" key={part}>
              <label htmlFor={name}>{words[part]}</label>
              <LeftHint name={name} left={left} text={words[leftText]} />
              <input
                id={name}
                name={name}
                type={type}
                autoComplete={autoComplete}
                maxLength={maxLength}
                dir="auto"
                defaultValue={given?.[part]}
                aria-describedby={describedBy(name, { left, error })}
                aria-invalid={error ? true : undefined}
              />
              <p id={`${name}-error`} className="error" role="alert">
                {error}
              </p>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

import { CONTACT_ANSWERS } from '#contract/contact.ts';
import type { ContactAnswer } from '#contract/feedback.ts';
import type { Block } from '#contract/form.ts';
import { type ContactPart, contactField } from '#contract/form-page.ts';

interface ContactMeProps {
  readonly block: Block;
  readonly given: ContactAnswer | undefined;
  readonly errors: Readonly<Record<string, string>>;
}

const PARTS: readonly { part: ContactPart; label: string; type: string; autoComplete: string; maxLength: number }[] = [
  { part: 'name', label: 'Name', type: 'text', autoComplete: 'name', maxLength: 100 },
  { part: 'phone', label: 'Phone', type: 'tel', autoComplete: 'tel', maxLength: 40 },
  { part: 'email', label: 'Email', type: 'email', autoComplete: 'email', maxLength: 254 },
];

/** A contact question. CSS alone opens the fields below Yes; without `:has` they are always visible. */
export function ContactMe({ block, given, errors }: ContactMeProps) {
  return (
    <fieldset className="contact">
      <legend>{block.title}</legend>
      <div className="choices">
        {block.selections?.map(({ uuid, text, default: byDefault }, index) => {
          const answer = CONTACT_ANSWERS[index];
          return (
            <label key={uuid}>
              <input type="radio" name={block.uuid} value={answer} defaultChecked={given ? given.answer === answer : byDefault} />
              {text}
            </label>
          );
        })}
      </div>
      <div className="who">
        <p className="hint">A phone number or an email is enough.</p>
        {PARTS.map(({ part, label, type, autoComplete, maxLength }) => {
          const name = contactField(block, part);
          const error = errors[name];
          return (
            <div className="field" key={part}>
              <label htmlFor={name}>{label}</label>
              <input
                id={name}
                name={name}
                type={type}
                autoComplete={autoComplete}
                maxLength={maxLength}
                defaultValue={given?.[part]}
                aria-describedby={error && `${name}-error`}
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

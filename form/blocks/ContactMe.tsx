import { CONTACT_ANSWERS } from '#contract/core/contact.ts';
import type { ContactAnswer } from '#contract/feedback/feedback.ts';
import type { Block } from '#contract/form/form.ts';
import { type ContactPart, contactField, isReachable, PRIVACY_PATH } from '#contract/form/form-page.ts';
import { describedBy, LeftHint } from './LeftHint.tsx';

interface ContactMeProps {
  readonly block: Block;
  readonly given: ContactAnswer | undefined;
  readonly left: readonly string[];
  readonly errors: Readonly<Record<string, string>>;
  /** The business, which sees the contact. */
  readonly business: string;
}

const PARTS: readonly { part: ContactPart; label: string; what: string; type: string; autoComplete: string; maxLength: number }[] = [
  { part: 'name', label: 'Name', what: 'a name', type: 'text', autoComplete: 'name', maxLength: 100 },
  { part: 'phone', label: 'Phone', what: 'a number', type: 'tel', autoComplete: 'tel', maxLength: 40 },
  { part: 'email', label: 'Email', what: 'an email', type: 'email', autoComplete: 'email', maxLength: 254 },
];

/** A contact question. CSS shows the fields below Yes; without `:has` they are always visible. */
export function ContactMe({ block, given, left, errors, business }: ContactMeProps) {
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
          Leave a phone number or an email, whichever you prefer. Only the team at {business} sees it. <a href={PRIVACY_PATH}>Privacy</a>
        </p>
        {PARTS.map(({ part, label, what, type, autoComplete, maxLength }) => {
          const name = contactField(block, part);
          const error = errors[name];
          return (
            <div className="field" key={part}>
              <label htmlFor={name}>{label}</label>
              <LeftHint name={name} left={left} what={what} />
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

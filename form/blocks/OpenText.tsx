import type { Block } from '#contract/form.ts';
import { MAX_TEXT, type RatingView } from '#contract/rating.ts';
import { describedBy, LeftHint } from './LeftHint.tsx';

interface OpenTextProps {
  readonly block: Block;
  readonly given: string | undefined;
  readonly left: readonly string[];
  readonly error: string | undefined;
}

const VIEWS: readonly RatingView[] = ['bad', 'okay', 'good'];

/** An open question. CSS alone shows the wording for the chosen face, so it works before any script has loaded. */
export function OpenText({ block, given, left, error }: OpenTextProps) {
  return (
    <div className="field">
      <label htmlFor={block.uuid}>
        <span className={block.prompts ? 'ask initial' : undefined}>{block.title}</span>
        {VIEWS.map(
          (view) =>
            block.prompts && (
              <span key={view} className={`ask ${view}`}>
                {block.prompts[view]}
              </span>
            ),
        )}
        {!block.required && <small>Optional</small>}
      </label>
      <LeftHint name={block.uuid} left={left} what="a note" />
      <textarea
        id={block.uuid}
        name={block.uuid}
        rows={4}
        maxLength={MAX_TEXT}
        defaultValue={given}
        aria-describedby={describedBy(block.uuid, { left, error })}
        aria-invalid={error ? true : undefined}
      />
      <p id={`${block.uuid}-error`} className="error" role="alert">
        {error}
      </p>
    </div>
  );
}

import type { Block } from '#contract/form.ts';
import { MAX_TEXT, type RatingView } from '#contract/rating.ts';

interface OpenTextProps {
  readonly block: Block;
  readonly given: string | undefined;
  readonly error: string | undefined;
}

const VIEWS: readonly RatingView[] = ['bad', 'okay', 'good'];

/** An open question. CSS alone shows the wording for the chosen face, so it works before any script has loaded. */
export function OpenText({ block, given, error }: OpenTextProps) {
  const errorId = `${block.uuid}-error`;
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
      <textarea
        id={block.uuid}
        name={block.uuid}
        rows={4}
        maxLength={MAX_TEXT}
        defaultValue={given}
        aria-describedby={error && errorId}
        aria-invalid={error ? true : undefined}
      />
      <p id={errorId} className="error" role="alert">
        {error}
      </p>
    </div>
  );
}

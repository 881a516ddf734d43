import type { MouseEvent, ReactElement } from 'react';
import { RATINGS, type Rating } from '#contract/feedback/rating.ts';
import type { Block } from '#contract/form/form.ts';
import type { PageWords } from '#contract/language/words.ts';
import { Face } from '../Face.tsx';

interface EmojiGaugeProps {
  readonly block: Block;
  /** The question, which names the group. */
  readonly question: string;
  readonly given: Rating | undefined;
  readonly error: string | undefined;
  /** States what is saved and what isn't. */
  readonly line: ReactElement;
  readonly words: PageWords;
  /** Called when a face is chosen; `settled` is false while arrow keys may still be moving. */
  readonly onRate: (rating: Rating, settled: boolean) => void;
}

export function EmojiGauge({ block, question, given, error, line, words, onRate }: EmojiGaugeProps) {
  const errorId = `${block.uuid}-error`;
  return (
    <fieldset className="gauge" aria-describedby={error && errorId}>
      <legend>
        <h1 tabIndex={-1}>{question}</h1>
      </legend>
      <div className="faces">
        {RATINGS.map((rating) => (
          <label key={rating} className={`face r${rating}`}>
            <input
              type="radio"
              name={block.uuid}
              value={rating}
              required
              data-rating={rating}
              defaultChecked={given === rating}
              aria-invalid={error ? true : undefined}
              onClick={(event) => onRate(rating, isPointer(event))}
            />
            <Face rating={rating} />
            <span>{words.ratings[rating - 1]}</span>
          </label>
        ))}
      </div>
      <div className="line">
        <p id={errorId} className="error" role="alert">
          {error}
        </p>
        {line}
      </div>
    </fieldset>
  );
}

/** Returns true for a pointer's click. Arrow keys also click, but with a count of 0. */
const isPointer = (event: MouseEvent): boolean => event.detail > 0;

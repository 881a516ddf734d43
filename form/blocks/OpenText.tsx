import { useState } from 'react';
import { MAX_TEXT, type RatingView } from '#contract/feedback/rating.ts';
import type { Block } from '#contract/form/form.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { countIn, filled, type PageWords } from '#contract/language/words.ts';
import { describedBy, LeftHint } from './LeftHint.tsx';

interface OpenTextProps {
  readonly block: Block;
  readonly given: string | undefined;
  readonly left: readonly string[];
  readonly error: string | undefined;
  readonly language: LanguageTag;
  readonly words: PageWords;
}

const VIEWS: readonly RatingView[] = ['bad', 'okay', 'good'];

/** An open question. CSS shows the wording for the chosen face, so it works before any script has loaded. */
export function OpenText({ block, given = '', left, error, language, words }: OpenTextProps) {
  const [room, setRoom] = useState(MAX_TEXT - given.length);
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
        {!block.required && <small>{words.optional}</small>}
      </label>
      <LeftHint name={block.uuid} left={left} text={words.leftNote} />
      {/* No maxLength: browsers silently truncate pasted text. */}
      <textarea
        id={block.uuid}
        name={block.uuid}
        rows={4}
        dir="auto"
        defaultValue={given}
        onInput={({ currentTarget }) => setRoom(MAX_TEXT - currentTarget.value.length)}
        aria-describedby={describedBy(block.uuid, { left, error })}
        aria-invalid={error || room < 0 ? true : undefined}
      />
      <Room room={room} textOf={(count) => roomIn(count, language, words)} />
      <p id={`${block.uuid}-error`} className="error" role="alert">
        {error}
      </p>
    </div>
  );
}

/** The remaining characters are shown from here on. */
const COUNTED_FROM = 200;
/** Screen readers are notified in steps of this many characters, not at each key. */
const ANNOUNCED_EVERY = 50;

/** The number of remaining characters or, below zero, how many are too many. */
function Room({ room, textOf }: { room: number; textOf: (count: number) => string }) {
  const announced = Math.ceil(room / ANNOUNCED_EVERY) * ANNOUNCED_EVERY;
  return (
    <p className={room < 0 ? 'room error' : 'room'}>
      <span aria-hidden="true">{textOf(room)}</span>
      <span className="hidden" role="status">
        {textOf(room < 0 ? room : announced)}
      </span>
    </p>
  );
}

function roomIn(room: number, language: LanguageTag, { room: left, beyond }: PageWords): string {
  if (room > COUNTED_FROM) return '';
  return filled(room < 0 ? beyond : left, { count: countIn(language, Math.abs(room)) });
}

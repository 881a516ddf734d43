import { useState } from 'react';
import { MAX_TEXT, type RatingView } from '#contract/feedback/rating.ts';
import type { Block } from '#contract/form/form.ts';
import { describedBy, LeftHint } from './LeftHint.tsx';

interface OpenTextProps {
  readonly block: Block;
  readonly given: string | undefined;
  readonly left: readonly string[];
  readonly error: string | undefined;
}

const VIEWS: readonly RatingView[] = ['bad', 'okay', 'good'];

/** An open question. CSS shows the wording for the chosen face, so it works before any script has loaded. */
export function OpenText({ block, given = '', left, error }: OpenTextProps) {
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
        {!block.required && <small>Optional</small>}
      </label>
      <LeftHint name={block.uuid} left={left} what="a note" />
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
      <Room room={room} />
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
function Room({ room }: { room: number }) {
  const announced = Math.ceil(room / ANNOUNCED_EVERY) * ANNOUNCED_EVERY;
  return (
    <p className={room < 0 ? 'room error' : 'room'}>
      <span aria-hidden="true">{roomIn(room)}</span>
      <span className="hidden" role="status">
        {roomIn(room < 0 ? room : announced)}
      </span>
    </p>
  );
}

const roomIn = (room: number): string => (room > COUNTED_FROM ? '' : room < 0 ? `${-room} too many` : `${room} left`);

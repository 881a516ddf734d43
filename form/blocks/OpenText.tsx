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

/** An open question. CSS alone shows the wording for the chosen face, so it works before any script has loaded. */
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
      {/* No maxLength: browsers cut what is pasted, and say nothing. */}
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

/** So near its end a text is counted. */
const COUNTED_FROM = 200;
/** A screen reader is told at each of these steps, not at each key. */
const TOLD_EVERY = 50;

/** How much room a text has left, in characters; below zero, how much of it is too much. */
function Room({ room }: { room: number }) {
  const told = Math.ceil(room / TOLD_EVERY) * TOLD_EVERY;
  return (
    <p className={room < 0 ? 'room error' : 'room'}>
      <span aria-hidden="true">{roomIn(room)}</span>
      <span className="hidden" role="status">
        {roomIn(room < 0 ? room : told)}
      </span>
    </p>
  );
}

const roomIn = (room: number): string => (room > COUNTED_FROM ? '' : room < 0 ? `${-room} too many` : `${room} left`);

import { useEffect, useRef, useState } from 'react';
import { MAX_TEXT, type Rating, viewOf } from '#contract/feedback/rating.ts';
import type { KioskLanguage } from '#contract/kiosk/kiosk.ts';
import type { KioskScreen } from '#contract/kiosk/screen.ts';
import { modulesOf, pathOf } from '../dashboard/ui/qr/codes.ts';
import { Face } from '../form/Face.tsx';
import { useIdle } from './idle.ts';

interface ThanksProps {
  readonly content: KioskScreen;
  readonly language: KioskLanguage;
  readonly error: string | undefined;
  readonly rating: Rating;
  /** Called when the visitor is done, with their words, and whether they have left without a tap. */
  readonly onNext: (words: string, how: 'tap' | 'idle') => void;
}

/** Time without a touch until the next visitor's question, and once someone writes (ms). */
const [GONE_AFTER, WRITING] = [12_000, 45_000];

/** Thanks or an apology, with room for words, and codes for the review services. */
export function Thanks({ content, language, error, rating, onNext }: ThanksProps) {
  const { words, more } = language;
  const [typed, setTyped] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const view = viewOf(rating);
  const { title, subtitle } = view === 'bad' ? language.sorry : language.thanks;
  useIdle(typed === '' ? GONE_AFTER : WRITING, () => onNext(typed, 'idle'));
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className="screen">
      <div className={`chosen r${rating}`}>
        <Face rating={rating} />
      </div>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {subtitle && <p>{subtitle}</p>}
      <div className="beside">
        {more && (
          <form
            className="words"
            onSubmit={(event) => {
              event.preventDefault();
              onNext(typed, 'tap');
            }}
          >
            <label htmlFor="words">
              {more[view]} <small>{words.optional}</small>
            </label>
            <textarea id="words" rows={3} maxLength={MAX_TEXT} value={typed} onChange={({ target }) => setTyped(target.value)} />
            <p className="error" role="alert">
              {error}
            </p>
            {typed.trim() && (
              <button type="submit" className="button">
                {words.send}
              </button>
            )}
          </form>
        )}
        <Reviews {...{ content, language }} isGood={view === 'good'} />
      </div>
      {!typed.trim() && (
        <button type="button" className="next" onClick={() => onNext('', 'tap')}>
          {words.next}
        </button>
      )}
    </main>
  );
}

/** Codes that open the review services on the visitor's phone. The form's setting decides who sees them, as on the form. */
function Reviews({ content, language, isGood }: Pick<ThanksProps, 'content' | 'language'> & { readonly isGood: boolean }) {
  const { words, review } = language;
  const isInvited = isGood || content.inviteToReview === 'everyone';
  if (!isInvited || content.services.length === 0) return null;
  return (
    <section className="reviews" aria-labelledby="reviews">
      <h2 id="reviews">{isGood ? review.title : words.tellOthers}</h2>
      <p>{words.scan}</p>
      <ul>
        {content.services.map(({ name, path }) => (
          <li key={name}>
            <Code address={location.origin + path} label={words.reviews[name] ?? name} />
            {words.reviews[name]}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Code({ address, label }: { readonly address: string; readonly label: string }) {
  const code = modulesOf(address);
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${code.size}v${code.size}h-${code.size}z`} />
      <path fill="#000" d={pathOf(code)} />
    </svg>
  );
}

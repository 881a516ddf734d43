import { MOUTHS, type Rating } from '#contract/feedback/rating.ts';

export function Face({ rating }: { rating: Rating }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="10.6" />
      <circle className="eye" cx="8.6" cy="9.6" r="1.35" />
      <circle className="eye" cx="15.4" cy="9.6" r="1.35" />
      <path d={MOUTHS[rating]} />
    </svg>
  );
}

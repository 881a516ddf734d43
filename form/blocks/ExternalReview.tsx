import type { Block } from '#contract/form/form.ts';
import type { ReviewService } from '#contract/form/review.ts';
import { filled, type PageWords } from '#contract/language/words.ts';

interface ExternalReviewProps {
  readonly block: Block;
  readonly words: PageWords;
  readonly hrefOf: (service: ReviewService) => string;
  /** Called when a service is opened, with the first or middle button or the keyboard. */
  readonly onOpen: (service: ReviewService) => void;
}

/** Links to review services. Each goes through our server, which redirects to that service only. */
export function ExternalReview({ block, words, hrefOf, onOpen }: ExternalReviewProps) {
  return (
    <ul className="reviews">
      {block.service?.map(({ name, url }) => (
        <li key={name}>
          <a
            className="button"
            href={hrefOf(name)}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => onOpen(name)}
            onAuxClick={({ button }) => button === MIDDLE && onOpen(name)}
          >
            {words.reviews[name]}
            <span className="hidden"> ({filled(words.opensIn, { host: hostOf(url) })})</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The middle mouse button, which opens a link in a new tab. */
const MIDDLE = 1;

const hostOf = (url: string): string => url.replace(/^https:\/\/([^/?#]+).*$/, '$1');

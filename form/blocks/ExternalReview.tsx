import type { Block } from '#contract/form/form.ts';
import { REVIEW_LABEL, type ReviewService } from '#contract/form/review.ts';

interface ExternalReviewProps {
  readonly block: Block;
  readonly hrefOf: (service: ReviewService) => string;
  /** Called when a service is opened, with the first or middle button or the keyboard. */
  readonly onOpen: (service: ReviewService) => void;
}

/** Links to review services. Each goes through our server, which redirects to that service only. */
export function ExternalReview({ block, hrefOf, onOpen }: ExternalReviewProps) {
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
            {REVIEW_LABEL[name]}
            <span className="hidden"> (opens {hostOf(url)} in a new tab)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The middle mouse button, which opens a link in a new tab. */
const MIDDLE = 1;

const hostOf = (url: string): string => url.replace(/^https:\/\/([^/?#]+).*$/, '$1');

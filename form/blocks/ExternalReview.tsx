import type { Block } from '#contract/form.ts';
import { REVIEW_LABEL, type ReviewService } from '#contract/review.ts';

interface ExternalReviewProps {
  readonly block: Block;
  readonly hrefOf: (service: ReviewService) => string;
}

/** Links to review services. Each goes through our server, which counts it and redirects to that service only. */
export function ExternalReview({ block, hrefOf }: ExternalReviewProps) {
  return (
    <ul className="reviews">
      {block.service?.map(({ name, url }) => (
        <li key={name}>
          <a className="button" href={hrefOf(name)} target="_blank" rel="noopener noreferrer">
            {REVIEW_LABEL[name]}
            <span className="hidden"> (opens {hostOf(url)} in a new tab)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const hostOf = (url: string): string => url.replace(/^https:\/\/([^/?#]+).*$/, '$1');

import { type ComponentProps, useState } from 'react';
import { REVIEW_SERVICES, type ReviewService } from '#contract/form/review.ts';
import { Checkbox } from '../theme/mantine.ts';
import styles from './Choices.module.css';
import { TextField } from './Fields.tsx';
import { serviceName, type TypedLinks } from './review-links.ts';

const HOW: Record<ReviewService, { readonly ways: readonly string[]; readonly examples: string }> = {
  Google: {
    ways: [
      'Sign in with the Google account of your business and search for its name. Choose “Ask for reviews” (or “Get more reviews”), and copy the link.',
      'Or find your business in Google Maps, choose “Share”, and copy the link.',
    ],
    examples: 'g.page/r/…, maps.app.goo.gl/…, share.google/…, search.google.com/local/writereview?placeid=…',
  },
  Yelp: {
    ways: [
      'Find your business on Yelp, in any country, and copy the address from the browser.',
      'Or open it in the app, choose “Share”, and copy the link.',
    ],
    examples: 'www.yelp.com/biz/…, www.yelp.de/biz/…, yelp.to/…',
  },
  Trustpilot: {
    ways: ['Find your business on Trustpilot, in any country, and copy the address from the browser.'],
    examples: 'www.trustpilot.com/review/…, www.trustpilot.com/evaluate/…',
  },
  Other: {
    ways: ['Open the page where visitors can review your business, and copy the address from the browser.'],
    examples: 'www.tripadvisor.com/…, www.facebook.com/…/reviews',
  },
};

interface ReviewLinkFieldsProps {
  readonly legend: string;
  readonly links: TypedLinks;
  /** All, unless given. */
  readonly services?: readonly ReviewService[];
  /** A service was chosen, with the link that was typed for it before, or taken away. */
  readonly onChange: (service: ReviewService, url: string | undefined) => void;
  /** What a form gives a service's field. */
  readonly propsOf: (service: ReviewService) => ComponentProps<typeof TextField>;
}

/** Where visitors can review the business, each with the link that was pasted for it. */
export function ReviewLinkFields({ legend, links, services = REVIEW_SERVICES, onChange, propsOf }: ReviewLinkFieldsProps) {
  // A link that was typed comes back when its service is chosen again.
  const [typed, setTyped] = useState(links);
  return (
    <fieldset className={styles['group']}>
      <legend>{legend}</legend>
      <p className={styles['hint']}>Optional. Choose any that you use.</p>
      {services.map((service) => {
        const url = links[service];
        return (
          <div key={service} className={styles['service']}>
            <Checkbox
              label={serviceName(service)}
              checked={url !== undefined}
              onChange={({ currentTarget }) => {
                setTyped({ ...typed, [service]: url });
                onChange(service, currentTarget.checked ? (typed[service] ?? '') : undefined);
              }}
            />
            {url !== undefined && (
              <>
                <TextField
                  label={service === 'Other' ? 'Review URL' : `${service} review URL`}
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  autoComplete="off"
                  spellCheck={false}
                  {...propsOf(service)}
                />
                <details className={styles['how']}>
                  <summary>How do I find this link?</summary>
                  <ol>
                    {HOW[service].ways.map((way) => (
                      <li key={way}>{way}</li>
                    ))}
                  </ol>
                  <p>It looks like one of these; https:// may be left out: {HOW[service].examples}</p>
                </details>
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

import { type ComponentProps, useState } from 'react';
import { REVIEW_SERVICES, type ReviewService } from '#contract/form/review.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { Checkbox } from '../theme/mantine.ts';
import styles from './Choices.module.css';
import { TextField } from './Fields.tsx';
import { serviceName, type TypedLinks } from './review-links.ts';

const INSTRUCTIONS: Record<ReviewService, { readonly steps: readonly Untranslated[]; readonly examples: string }> = {
  Google: {
    steps: translatable([
      'Sign in with the Google account of your business and search for its name. Choose “Ask for reviews” (or “Get more reviews”), and copy the link.',
      'Or find your business in Google Maps, choose “Share”, and copy the link.',
    ]),
    examples: 'g.page/r/…, maps.app.goo.gl/…, share.google/…, search.google.com/local/writereview?placeid=…',
  },
  Yelp: {
    steps: translatable([
      'Find your business on Yelp, in any country, and copy the address from the browser.',
      'Or open it in the app, choose “Share”, and copy the link.',
    ]),
    examples: 'www.yelp.com/biz/…, www.yelp.de/biz/…, yelp.to/…',
  },
  Trustpilot: {
    steps: translatable(['Find your business on Trustpilot, in any country, and copy the address from the browser.']),
    examples: 'www.trustpilot.com/review/…, www.trustpilot.com/evaluate/…',
  },
  Other: {
    steps: translatable(['Open the page where visitors can review your business, and copy the address from the browser.']),
    examples: 'www.tripadvisor.com/…, www.facebook.com/…/reviews',
  },
};

interface ReviewLinkFieldsProps {
  readonly legend: string;
  readonly links: TypedLinks;
  /** All by default. */
  readonly services?: readonly ReviewService[];
  /** Called with the link of a chosen service, or undefined for an unchecked one. */
  readonly onChange: (service: ReviewService, url: string | undefined) => void;
  /** Returns the form's props for a service's field. */
  readonly propsOf: (service: ReviewService) => ComponentProps<typeof TextField>;
}

/** A checkbox for each review service, with its link. */
export function ReviewLinkFields({ legend, links, services = REVIEW_SERVICES, onChange, propsOf }: ReviewLinkFieldsProps) {
  // Checking a service again restores its typed link.
  const [typed, setTyped] = useState(links);
  return (
    <fieldset className={styles['group']}>
      <legend>{legend}</legend>
      <p className={styles['hint']}>{t('Optional. Choose any that you use.')}</p>
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
                  label={service === 'Other' ? t('Review URL') : t('{service} review URL', { service })}
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  autoComplete="off"
                  spellCheck={false}
                  {...propsOf(service)}
                />
                <details className={styles['how']}>
                  <summary>{t('How do I find this link?')}</summary>
                  <ol>
                    {INSTRUCTIONS[service].steps.map((step) => (
                      <li key={t(step)}>{t(step)}</li>
                    ))}
                  </ol>
                  <p>{t('It looks like one of these (https:// is optional): {examples}', { examples: INSTRUCTIONS[service].examples })}</p>
                </details>
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

import { useState } from 'react';
import { REVIEW_SERVICES, type ReviewService } from '#contract/review.ts';
import { TextField } from '../../ui/Fields.tsx';
import { Checkbox } from '../../ui/mantine.ts';
import type { FormOf } from '../../ui/useForm.ts';
import styles from './GetStarted.module.css';
import type { FirstPlace } from './get-started.ts';

const HOW: Record<ReviewService, string> = {
  Google: 'In your Google Business Profile choose “Ask for reviews” (or “Get more reviews”) and copy the link, such as https://g.page/r/…',
  Yelp: 'Open your business’s page on yelp.com and copy the address from the browser, such as https://www.yelp.com/biz/…',
};

/** Where visitors can review the business, each with the link that was pasted for it. */
export function ReviewServices({ form }: { form: FormOf<FirstPlace> }) {
  // A link that was typed comes back when its service is chosen again.
  const [typed, setTyped] = useState(form.values.links);
  return (
    <fieldset className={styles['group']}>
      <legend>Where can visitors review you?</legend>
      <p className={styles['hint']}>Optional. Choose none, one or both.</p>
      {REVIEW_SERVICES.map((service) => {
        const url = form.values.links[service];
        return (
          <div key={service} className={styles['service']}>
            <Checkbox
              label={service}
              checked={url !== undefined}
              onChange={({ currentTarget }) => {
                setTyped({ ...typed, [service]: url });
                form.setFieldValue(`links.${service}`, currentTarget.checked ? (typed[service] ?? '') : undefined);
              }}
            />
            {url !== undefined && (
              <>
                <TextField
                  label={`${service} review URL`}
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  autoComplete="off"
                  spellCheck={false}
                  {...form.getInputProps(`links.${service}`)}
                />
                <details className={styles['how']}>
                  <summary>How do I find this link?</summary>
                  <p>{HOW[service]}</p>
                </details>
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

import type { ReviewInvitation } from '#contract/form/form.ts';
import { Notice } from '../messages/Notice.tsx';
import { Radio } from '../theme/mantine.ts';
import styles from './Choices.module.css';

interface InviteChoiceProps {
  readonly value: ReviewInvitation;
  readonly onChange: (value: ReviewInvitation) => void;
}

/** Chooses who is invited to review, and states the review services' rules (docs/rules.md#review-invitation). */
export function InviteChoice({ value, onChange }: InviteChoiceProps) {
  return (
    <fieldset className={styles['group']}>
      <legend>Who do we invite to review you?</legend>
      <Radio
        name="invite"
        label="Visitors who rate you Good or Great"
        description="Everyone else gets a thank-you or an apology"
        checked={value === 'good'}
        onChange={() => onChange('good')}
      />
      <Radio
        name="invite"
        label="Everyone"
        description="Same links for everyone; the text fits the rating"
        checked={value === 'everyone'}
        onChange={() => onChange('everyone')}
      />
      <Notice tone="plain">
        Google and Trustpilot forbid asking only happy visitors for reviews, and Yelp forbids asking at all, so Yelp’s button only says
        “Find us on Yelp”. The choice is yours. You can change it at any time.
      </Notice>
    </fieldset>
  );
}

import type { ReviewInvitation } from '#contract/form/form.ts';
import type { ReviewService } from '#contract/form/review.ts';
import { servicesAgainst } from '#contract/insight/review-funnel.ts';
import { t } from '../../language.ts';
import { Notice } from '../messages/Notice.tsx';
import { Radio } from '../theme/mantine.ts';
import styles from './Choices.module.css';

interface InviteChoiceProps {
  readonly value: ReviewInvitation;
  /** The sites that the form links to. */
  readonly services: readonly ReviewService[];
  readonly onChange: (value: ReviewInvitation) => void;
}

/** Chooses who is invited to review, and states the review services' rules (docs/rules.md#review-invitation). */
export function InviteChoice({ value, services, onChange }: InviteChoiceProps) {
  const isBroken = servicesAgainst(value, services).length > 0;
  return (
    <fieldset className={styles['group']}>
      <legend>{t('Who do we invite to review you?')}</legend>
      <Radio
        name="invite"
        label={t('Visitors who rate you Good or Great')}
        description={t('Everyone else gets a thank-you or an apology')}
        checked={value === 'good'}
        onChange={() => onChange('good')}
      />
      <Radio
        name="invite"
        label={t('Everyone')}
        description={t('Same links for everyone; the text fits the rating')}
        checked={value === 'everyone'}
        onChange={() => onChange('everyone')}
      />
      <Notice tone={isBroken ? 'warn' : 'plain'}>{ruleOf(value, services)}</Notice>
    </fieldset>
  );
}

const list = new Intl.ListFormat('en');

/** Returns the rules of the chosen sites, and whether the choice follows them. */
function ruleOf(value: ReviewInvitation, services: readonly ReviewService[]): string {
  const forbidden = servicesAgainst(value, services);
  const strict = servicesAgainst('good', services);
  const yelp =
    services.length === 0 || services.includes('Yelp') ? ' Yelp forbids asking at all, so its button only says “Find us on Yelp”.' : '';
  if (forbidden.length > 0)
    return `${list.format(forbidden)} ${forbidden.length === 1 ? 'forbids' : 'forbid'} asking only happy visitors for reviews. Choose “Everyone” to follow ${forbidden.length === 1 ? 'its' : 'their'} rules.${yelp}`;
  if (strict.length > 0) return `This follows the rules of ${list.format(strict)}, which forbid asking only happy visitors.${yelp}`;
  return `Google and Trustpilot forbid asking only happy visitors for reviews.${yelp}`;
}

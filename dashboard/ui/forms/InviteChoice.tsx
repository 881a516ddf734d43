import type { ReviewInvitation } from '#contract/form/form.ts';
import type { ReviewService } from '#contract/form/review.ts';
import { servicesAgainst } from '#contract/insight/review-funnel.ts';
import { t } from '../../language.ts';
import { allOf } from '../format/list.ts';
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

/** Returns the rules of the chosen sites, and whether the choice follows them. */
function ruleOf(value: ReviewInvitation, services: readonly ReviewService[]): string {
  const forbidden = servicesAgainst(value, services);
  const strict = servicesAgainst('good', services);
  const rule = strictRule(forbidden, strict);
  if (services.length > 0 && !services.includes('Yelp')) return rule;
  return `${rule} ${t('Yelp forbids asking at all, so its button only says “Find us on Yelp”.')}`;
}

function strictRule(forbidden: readonly ReviewService[], strict: readonly ReviewService[]): string {
  const [only] = forbidden;
  if (only && forbidden.length === 1)
    return t('{service} forbids asking only happy visitors for reviews. Choose “Everyone” to follow its rules.', { service: only });
  if (forbidden.length > 0)
    return t('{services} forbid asking only happy visitors for reviews. Choose “Everyone” to follow their rules.', {
      services: allOf(forbidden),
    });
  if (strict.length > 0)
    return t('This follows the rules of {services}, which forbid asking only happy visitors.', { services: allOf(strict) });
  return t('Google and Trustpilot forbid asking only happy visitors for reviews.');
}

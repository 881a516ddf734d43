import * as v from 'valibot';
import { LANGUAGE_NAMES } from '#contract/language/languages.ts';
import { TEAM_LANGUAGES, type TeamLanguage } from '#contract/language/team.ts';
import { translatable } from '#contract/language/translate.ts';
import {
  LONGEST_WEBHOOK_NAME,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  type Webhook,
  type WebhookEvent,
  type WebhookFormat,
  webhookDescription,
  webhookUrl,
} from '#contract/webhook/webhook.ts';
import { useTeam } from '../../frame/team.ts';
import { languageShown, t } from '../../language.ts';
import { TextField } from '../../ui/forms/Fields.tsx';
import type { FormAction, FormOf } from '../../ui/forms/useForm.ts';
import { useStoredForm } from '../../ui/forms/useStoredForm.ts';
import { firstMissing, requirement } from '../../ui/forms/validation.ts';
import { Checkbox, Radio } from '../../ui/theme/mantine.ts';
import { EVENT_LABELS, FORMAT_LABELS } from './labels.ts';
import styles from './Webhooks.module.css';

export interface WebhookValues {
  url: string;
  description: string;
  events: WebhookEvent[];
  places: 'all' | 'some';
  propertyIds: string[];
  format: WebhookFormat;
  language: TeamLanguage;
  isFull: boolean;
}

const SCHEMA = v.object({ url: webhookUrl, description: webhookDescription });

/** Returns a form with a webhook's settings, or the defaults of a new one, which closes once that is added. */
export function useWebhookForm(webhook: Webhook | undefined, action: FormAction): FormOf<WebhookValues> {
  const {
    url = '',
    description = '',
    events = ['feedback.created'],
    propertyIds = null,
    format = 'standard',
    language = languageShown(),
    isFull = false,
  } = webhook?.data ?? {};
  return useStoredForm<WebhookValues>({
    stored: {
      ...{ url, description, events: [...events], format, language, isFull },
      places: propertyIds === null ? 'all' : 'some',
      propertyIds: [...(propertyIds ?? [])],
    },
    schema: SCHEMA,
    action,
    closes: webhook === undefined,
    sentAs: { url: 'payload.data.url', description: 'payload.data.description' },
  });
}

/** Returns the settings to send. */
export const settingsOf = ({ places, propertyIds, ...values }: WebhookValues) => ({
  ...values,
  propertyIds: places === 'all' ? null : propertyIds,
});

/** Returns what must be filled in first, if anything. */
export const missingIn = ({ url, events, places, propertyIds }: WebhookValues): string | undefined =>
  firstMissing(
    requirement(webhookUrl, url, t('Enter an address.')),
    [events.length === 0, t('Choose at least one event.')],
    [places === 'some' && propertyIds.length === 0, t('Choose at least one property.')],
  );

const FORMAT_HINTS = translatable({
  standard: 'Signed JSON for your own app',
  slack: 'A message, for the address of an incoming webhook in Slack',
  teams: 'A card, for the address of a workflow in Teams',
} satisfies Record<WebhookFormat, string>);

export function WebhookFields({ form }: { form: FormOf<WebhookValues> }) {
  const { properties } = useTeam();
  const { places, format: chosenFormat, isFull } = form.values;
  return (
    <>
      <TextField
        label={t('Address')}
        type="url"
        placeholder="https://example.com/hooks"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('url')}
      />
      <TextField
        label={t('Name (optional)')}
        placeholder={t('Help desk')}
        autoComplete="off"
        limit={LONGEST_WEBHOOK_NAME}
        {...form.getInputProps('description')}
      />
      <Checkbox.Group label={t('Events to send')} {...form.getInputProps('events')}>
        {WEBHOOK_EVENTS.map((name) => (
          <Checkbox key={name} value={name} label={t(EVENT_LABELS[name])} mt={8} />
        ))}
      </Checkbox.Group>
      <Radio.Group label={t('Properties')} {...form.getInputProps('places')}>
        <Radio value="all" label={t('All properties')} description={t('Including those added later')} mt={8} />
        <Radio value="some" label={t('Some properties')} mt={8} />
      </Radio.Group>
      {places === 'some' && (
        <Checkbox.Group aria-label={t('Chosen properties')} {...form.getInputProps('propertyIds')}>
          <div className={styles['places']}>
            {properties.map(({ id, data }) => (
              <Checkbox key={id} value={id} label={data.displayName} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <Radio.Group label={t('Format')} {...form.getInputProps('format')}>
        {WEBHOOK_FORMATS.map((format) => (
          <Radio key={format} value={format} label={FORMAT_LABELS[format]} description={t(FORMAT_HINTS[format])} mt={8} />
        ))}
      </Radio.Group>
      {chosenFormat !== 'standard' && (
        <Radio.Group label={t('Language of the messages')} {...form.getInputProps('language')}>
          {TEAM_LANGUAGES.map((language) => (
            <Radio key={language} value={language} label={LANGUAGE_NAMES[language]} lang={language} mt={8} />
          ))}
        </Radio.Group>
      )}
      <Checkbox
        label={t('Include what people wrote')}
        description={
          isFull
            ? t('Visitors’ words, names, phone numbers and emails leave Afterword. You’re responsible for how the receiver stores them.')
            : t('Without it, messages contain only what happened and where, with a link.')
        }
        {...form.getInputProps('isFull', { type: 'checkbox' })}
      />
    </>
  );
}

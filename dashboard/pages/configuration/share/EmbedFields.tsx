import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as v from 'valibot';
import { placementOf } from '#contract/core/ids.ts';
import { stepOf } from '#contract/form/steps.ts';
import { STANDARD_TEXTS, WORDS } from '#contract/language/all.ts';
import { directionOf, type LanguageTag, languageName } from '#contract/language/languages.ts';
import { offeredLanguages, translatedSteps } from '#contract/language/texts.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import { isStaff, MOST_TOOLS, placementName, type Tool } from '#contract/tool/tool.ts';
import { brandQuery, formVersionQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import type { PreviewedForm } from '../../../frame/preview/preview-props.ts';
import { useEmbedScript, useFormAddress } from '../../../frame/share/address.ts';
import { useTools } from '../../../frame/share/tools.ts';
import { useTeam } from '../../../frame/team.ts';
import { languageShown, t } from '../../../language.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Aside, Form, Submit } from '../../../ui/forms/Form.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { firstMissing, requirement } from '../../../ui/forms/validation.ts';
import { useDelayed } from '../../../ui/hooks.ts';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { Loader, NativeSelect, SegmentedControl } from '../../../ui/theme/mantine.ts';
import { EmbedPreview } from './EmbedPreview.tsx';
import styles from './Embeds.module.css';
import { fullReason } from './full-reason.ts';
import { type EmbedLook, mailSnippet, plainMailSnippet, websiteSnippet } from './snippets.ts';

interface EmbedFieldsProps {
  readonly property: Property;
  readonly tool: Tool | undefined;
}

/** Loads the form that the snippet shows. */
export function EmbedFields({ property, tool }: EmbedFieldsProps) {
  const { account } = useTeam();
  const source = useSource();
  const { data: version, isError, refetch } = useQuery(formVersionQuery(source, property.data.formId));
  const { data: brand } = useQuery(brandQuery(source, account.id));
  const isLate = useDelayed(!version);
  if (isError && !version) return <LoadFailed onRetry={refetch}>{t('We couldn’t load the form.')}</LoadFailed>;
  if (!version) return isLate ? <Loader size="sm" aria-label={t('Loading the form')} /> : null;
  const { steps, language, translations, inviteToReview } = version.form.data;
  const form = {
    ...{ formId: version.form.id, business: account.data.displayName, place: property.data.displayName, look: brand?.data },
    ...{ steps, language, translations, inviteToReview, privateReplies: property.data.privateReplies },
  };
  return <EmbedChoices property={property} tool={tool} form={form} />;
}

/** Choices besides a placement: a new one, or none. */
const [NEW, PLAIN] = ['new', ''];
const LOOKS: readonly { readonly value: EmbedLook; readonly label: Untranslated }[] = [
  { value: 'inline', label: translatable('In the page') },
  { value: 'button', label: translatable('Button') },
  { value: 'mail', label: translatable('Email') },
];
const LONGEST_TEXT = 80;

function EmbedChoices({ property, tool, form }: EmbedFieldsProps & { readonly form: PreviewedForm }) {
  const addressOf = useFormAddress();
  const script = useEmbedScript();
  const placement = usePlacement(property, tool);
  const [look, setLook] = useState<EmbedLook>('inline');
  const [chosen, setLanguage] = useState<LanguageTag>();
  const [typed, setText] = useState<string>();
  const [format, setFormat] = useState('html');
  const language = chosen ?? form.language;
  const text = typed ?? stepOf(translatedSteps(form, language, STANDARD_TEXTS), 'experience').title;
  const link = { at: placement.at, language: chosen };
  const mail = {
    ...{ text, words: WORDS[language].page.ratings, direction: directionOf(language) },
    addressOf: (rating: 1 | 2 | 3 | 4 | 5) => addressOf(form.formId, { ...link, rating }),
  };
  const snippet =
    look !== 'mail'
      ? websiteSnippet({ look, text, script, address: addressOf(form.formId, link) })
      : format === 'html'
        ? mailSnippet(mail)
        : plainMailSnippet(mail);
  return (
    <div className={styles['dialog']}>
      <SegmentedControl
        aria-label={t('Look')}
        fullWidth
        data={LOOKS.map(({ value, label }) => ({ value, label: t(label) }))}
        value={look}
        onChange={(value) => setLook(value as EmbedLook)}
      />
      <EmbedPreview key={look} look={look} form={form} language={chosen} mail={mail} />
      <div className={styles['fields']}>
        {!tool && <PlacementSelect {...placement} />}
        <NativeSelect
          label={t('Language')}
          data={[
            {
              value: '',
              label:
                look === 'mail'
                  ? t('{language}, then each visitor’s', { language: languageName(form.language, languageShown()) })
                  : t('Each visitor’s, automatically'),
            },
            ...offeredLanguages(form, STANDARD_TEXTS).map((tag) => ({ value: tag, label: languageName(tag, languageShown()) })),
          ]}
          value={chosen ?? ''}
          onChange={({ currentTarget }) => setLanguage((currentTarget.value || undefined) as LanguageTag | undefined)}
        />
        <TextField
          label={look === 'mail' ? t('Text above the faces') : t('Link text')}
          autoComplete="off"
          maxLength={LONGEST_TEXT}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      {placement.isNew ? (
        <NewPlacement property={property} onAdded={placement.choose} />
      ) : (
        <Snippet text={snippet}>
          {look === 'mail' && (
            <SegmentedControl
              aria-label={t('Format')}
              size="xs"
              data={[
                { value: 'html', label: 'HTML' },
                { value: 'plain', label: t('Plain text') },
              ]}
              value={format}
              onChange={setFormat}
            />
          )}
        </Snippet>
      )}
      <Aside>{t(NOTES[look])}</Aside>
    </div>
  );
}

const NOTES: Readonly<Record<EmbedLook, Untranslated>> = translatable({
  inline: 'Works without JavaScript too: visitors then see the link, which opens the form.',
  button: 'Works without JavaScript too: the link then opens the form. It looks like your other links; style it as you like.',
  mail: 'One tap saves the rating, also without pictures. Mail scanners that open the links save nothing.',
});

/** The snippet, to copy. */
function Snippet({ text, children }: { text: string; children: ReactNode }) {
  const { isDemo } = useTeam();
  return (
    <section className={styles['snippet']} aria-label={t('Snippet')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part needs focus to scroll by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <div className={styles['actions']}>
        <CopyButton text={text} of={t('the snippet')} />
        {children}
      </div>
      {isDemo && <Aside>{t('Sample forms don’t accept answers. Yours will.')}</Aside>}
    </section>
  );
}

/** The chosen placement, which is given, or a website's by default. */
function usePlacement({ id: propertyId }: Property, given: Tool | undefined) {
  const ofProperty = useTools().filter(({ gs1sk }) => gs1sk === propertyId);
  const tools = ofProperty.filter((tool) => tool.data.toolType !== 'kiosk' && !isStaff(tool));
  const why = useReadOnly() ?? fullReason(ofProperty.length >= MOST_TOOLS);
  const embed = tools.find(({ data }) => data.toolType === 'embed');
  const [chosen, choose] = useState(given?.id ?? embed?.id ?? (why === undefined ? NEW : PLAIN));
  // A new placement is chosen before the list has it.
  return { tools, why, chosen, choose, isNew: chosen === NEW, at: chosen && chosen !== NEW ? placementOf(chosen) : undefined };
}

const PlacementSelect = ({ tools, why, chosen, choose }: ReturnType<typeof usePlacement>) => (
  <NativeSelect
    label={t('Placement')}
    data={[
      { value: NEW ?? '', label: t('New placement'), disabled: why !== undefined },
      ...tools.map(({ id, data }) => ({ value: id, label: data.displayName })),
      { value: PLAIN ?? '', label: t('None, the plain link') },
    ]}
    value={chosen ?? ''}
    onChange={({ currentTarget }) => choose(currentTarget.value)}
  />
);

const LONGEST_NAME = 40;
const SCHEMA = v.object({ displayName: placementName });

/** Adds the placement whose snippet is then shown. */
function NewPlacement({ property, onAdded }: { property: Property; onAdded: (toolId: string) => void }) {
  const save = useAction('tool', 'save');
  const form = useForm({ initialValues: { displayName: t('Website') }, schema: SCHEMA, action: save });
  function submit({ displayName }: { displayName: string }): void {
    const payload = { data: { propertyId: property.id, displayName, toolType: 'embed' as const } };
    void save.run({ payload }, ({ tool }) => onAdded(tool.id));
  }
  return (
    <Form label={t('New placement')} onSubmit={form.onSubmit(submit)}>
      <TextField
        label={t('Name of the placement')}
        description={t('Where the form appears. Answers show it.')}
        autoComplete="off"
        limit={LONGEST_NAME}
        {...form.getInputProps('displayName')}
      />
      <Submit
        missing={firstMissing(requirement(placementName, form.values.displayName, t('Enter a name.')))}
        isPending={save.isPending}
        failure={save.failure}
      >
        {t('Get the snippet')}
      </Submit>
    </Form>
  );
}

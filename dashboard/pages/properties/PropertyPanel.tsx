import { useNavigate } from '@tanstack/react-router';
import * as v from 'valibot';
import { zone } from '#contract/core/schema.ts';
import type { Form as VisitorsForm } from '#contract/form/form.ts';
import { type Property, propertyName } from '#contract/property/property.ts';
import { isPropertyNamed, slugOf } from '#contract/property/slug.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { EditArea } from '../../frame/EditArea.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { localZone } from '../../ui/format/time.ts';
import { TextField } from '../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { ReviewLinkFields } from '../../ui/forms/ReviewLinkFields.tsx';
import { chosenServices, missingLink, reviewLinks, type TypedLinks, typedLinks } from '../../ui/forms/review-links.ts';
import { useForm } from '../../ui/forms/useForm.ts';
import { firstMissing, requirement } from '../../ui/forms/validation.ts';
import { useIsShown } from '../../ui/hooks.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { NativeSelect } from '../../ui/theme/mantine.ts';

interface PropertyPanelProps {
  /** The property to edit; undefined creates one. */
  readonly propertyId: string | undefined;
  readonly onDone: () => void;
}

const LONGEST_NAME = 60;
/** The value for each viewer's own time zone. */
const NO_ZONE = '';
const SCHEMA = v.object({ displayName: propertyName, timeZone: v.union([v.literal(NO_ZONE), zone]), links: reviewLinks });

/** Creates a property, or edits its name, links and time zone. */
export function PropertyPanel({ propertyId, onDone }: PropertyPanelProps) {
  const { properties, user } = useTeam();
  const property = properties.find(({ id }) => id === propertyId);
  if (user.data.level !== 'admin') return <Notice tone="plain">{t('Only admins can add or change a property.')}</Notice>;
  if (propertyId !== undefined && !property) return <p>{t('This property was deleted.')}</p>;
  return (
    <EditArea>
      <PropertyFields property={property} onDone={onDone} />
    </EditArea>
  );
}

function PropertyFields({ property, onDone }: { property: Property | undefined; onDone: () => void }) {
  const { paths } = useTeam();
  const navigate = useNavigate();
  const announce = useAnnouncement();
  const isShown = useIsShown();
  const save = useAction('property', 'save');
  const initialValues: { displayName: string; timeZone: string; links: TypedLinks } = {
    displayName: property?.data.displayName ?? '',
    timeZone: property ? (property.data.timeZone ?? NO_ZONE) : localZone(),
    links: typedLinks(property?.data.service ?? []),
  };
  const form = useForm({ initialValues, schema: SCHEMA, action: save, closes: true });
  const { displayName, timeZone, links } = form.values;
  const missing = firstMissing(
    requirement(propertyName, displayName, t('Enter a name.')),
    [missingLink(links) !== undefined, missingLink(links) ?? ''],
    [property !== undefined && !form.isDirty(), t('No changes to save.')],
  );

  function submit(): void {
    const data = { displayName: displayName.trim(), service: chosenServices(links) };
    if (property) void save.run({ payload: { id: property.id, data: changesOf(data) } }, onSaved);
    else void save.run({ payload: { data: { ...data, ...(timeZone && { timeZone }) } } }, onCreated);
  }

  /** Returns the changed settings, so that those that a teammate has changed since stay. */
  function changesOf(data: { displayName: string; service: ReturnType<typeof chosenServices> }) {
    return {
      ...(form.isDirty('displayName') && { displayName: data.displayName }),
      ...(form.isDirty('links') && { service: data.service }),
      ...(form.isDirty('timeZone') && { timeZone: timeZone || null }),
    };
  }

  function onSaved(): void {
    toast(t('{name} saved.', { name: displayName.trim() }));
    onDone();
  }

  /** Continues at the Share tab, to bring the new form to visitors. */
  function onCreated({ property: created, form: visitors }: { property: Property; form: VisitorsForm }): void {
    announce(created, visitors);
    const name = { name: created.data.displayName };
    toast(isShown() ? t('{name} is ready. Here’s its form link.', name) : t('{name} is ready.', name));
    if (isShown()) void navigate({ to: paths.propertyConfiguration(created.id), search: { tab: 'share' }, replace: true });
  }

  return (
    <Form label={property ? t('Edit property') : t('New property')} onSubmit={form.onSubmit(submit)}>
      <TextField
        label={t('Name')}
        description={t('Shown to visitors on the form')}
        autoComplete="off"
        data-autofocus
        limit={LONGEST_NAME}
        {...form.getInputProps('displayName')}
      />
      <ReviewLinkFields
        legend={t('Review services')}
        links={links}
        onChange={(service, url) => form.setFieldValue(`links.${service}`, url)}
        propsOf={(service) => form.getInputProps(`links.${service}`)}
      />
      <NativeSelect
        label={t('Time zone')}
        description={t('Used for the property’s overview and reports')}
        data={zonesWith(timeZone)}
        {...form.getInputProps('timeZone')}
      />
      <Submit missing={missing} isPending={save.isPending} failure={save.failure}>
        {property ? t('Save property') : t('Create property')}
      </Submit>
    </Form>
  );
}

/** Returns the options: this browser's zones, and the chosen one. */
const zonesWith = (chosen: string) => [
  { value: NO_ZONE, label: t('The viewer’s time zone') },
  ...[...new Set([...Intl.supportedValuesOf('timeZone'), ...(chosen === NO_ZONE ? [] : [chosen])])]
    .sort()
    .map((value) => ({ value, label: value.replaceAll('_', ' ') })),
];

/** Returns a function that requests the email about a new form. A failure is only logged. */
function useAnnouncement(): (property: Property, form: VisitorsForm) => void {
  const source = useSource();
  const { user, properties, isDemo } = useTeam();
  return (property, form) => {
    if (isDemo) return;
    const ignore = { emailAddress: user.data.emailAddress, buttonURL: `/properties/${nameInAddress(property, properties)}/configuration` };
    source
      .call('form', 'notify', { payload: form, ignore, debug: true })
      .catch((error: unknown) => console.warn('We couldn’t send the email about the form:', error));
  };
}

const PLAIN = /^[\p{L}\p{N}-]+$/u;

/** Returns the name in lowercase with dashes if it is unique to this property, else the id. */
function nameInAddress({ id, data }: Property, properties: readonly Property[]): string {
  const name = slugOf(data.displayName);
  return PLAIN.test(name) && !properties.some((each) => each.id !== id && isPropertyNamed(name, each)) ? name : id;
}

import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as v from 'valibot';
import { hasReviewBlock } from '#contract/form/form.ts';
import type { Property } from '#contract/property/property.ts';
import { formVersionQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { ReviewLinkFields } from '../../../ui/forms/ReviewLinkFields.tsx';
import { chosenServices, missingLink, reviewLinks, typedLinks } from '../../../ui/forms/review-links.ts';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { useStoredForm } from '../../../ui/forms/useStoredForm.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import page from '../ConfigurationPage.module.css';
import { isSameTab, searchOf } from '../search.ts';
import { serviceLabel } from '../service-label.ts';
import { ReviewFunnel } from './ReviewFunnel.tsx';
import styles from './ServicesTab.module.css';

const SCHEMA = v.object({ links: reviewLinks });

/** The review links, with a notice if the form doesn't invite anyone, and who was offered them. */
export function ServicesTab({ property }: { property: Property }) {
  return (
    <div className={page['cards']}>
      <NotInvited property={property} />
      <Card title={t('Review services')} lead={t('The form links visitors to these pages. The form’s settings decide who is invited.')}>
        <Links property={property} />
      </Card>
      <ReviewFunnel property={property} />
    </div>
  );
}

/** Warns that a form without a review block shows none of the links. */
function NotInvited({ property: { id, data } }: { property: Property }) {
  const { paths } = useTeam();
  const { data: stored } = useQuery(formVersionQuery(useSource(), data.formId));
  if (!stored || stored.standing === 'deleted' || hasReviewBlock(stored.form.data.steps)) return null;
  return (
    <Notice tone="plain">
      {t('The form doesn’t invite anyone to review right now.')}{' '}
      <Link to={paths.propertyConfiguration(id)} search={searchOf('form')}>
        {t('Change that')}
      </Link>
    </Notice>
  );
}

function Links({ property: { id, data } }: { property: Property }) {
  const save = useAction('property', 'save');
  const stored = { links: typedLinks(data.service) };
  const form = useStoredForm({ stored, schema: SCHEMA, action: save });
  const { links } = form.values;
  const isDirty = form.isDirty();

  const submit = () => save.run({ payload: { id, data: { service: chosenServices(links) } } }, () => toast(t('Review links saved.')));

  return (
    <Form label={t('Review services')} onSubmit={form.onSubmit(() => void submit())}>
      <UnsavedGuard isOn={isDirty} isSame={isSameTab} />
      <ReviewLinkFields
        legend={t('Where can visitors review you?')}
        links={links}
        onChange={(service, url) => form.setFieldValue(`links.${service}`, url)}
        propsOf={(service) => form.getInputProps(`links.${service}`)}
      />
      {data.service.length > 0 && (
        <p className={styles['try']}>
          {t('Test the links:')}{' '}
          {data.service.map(({ name, url }) => (
            <a key={name} href={url} target="_blank" rel="noopener noreferrer" className="touch-link">
              {serviceLabel(name)}
              <IconExternalLink size={14} aria-hidden />
              <span className="visually-hidden"> {t('(opens in a new tab)')}</span>
            </a>
          ))}
        </p>
      )}
      <Submit missing={isDirty ? missingLink(links) : t('No changes to save.')} isPending={save.isPending} failure={save.failure}>
        {t('Save links')}
      </Submit>
    </Form>
  );
}

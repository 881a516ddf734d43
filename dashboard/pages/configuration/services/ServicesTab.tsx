import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import * as v from 'valibot';
import { hasReviewBlock } from '#contract/form/form.ts';
import type { Property } from '#contract/property/property.ts';
import { formVersionQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { useTeam } from '../../../frame/team.ts';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import { ReviewLinkFields } from '../../../ui/forms/ReviewLinkFields.tsx';
import { chosenServices, missingLink, reviewLinks, type TypedLinks, typedLinks } from '../../../ui/forms/review-links.ts';
import { UnsavedGuard } from '../../../ui/forms/UnsavedGuard.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import page from '../ConfigurationPage.module.css';
import { isSameTab, searchOf } from '../search.ts';
import styles from './ServicesTab.module.css';

const SCHEMA = v.object({ links: reviewLinks });

/** Where visitors are invited to review, and whether they are. */
export function ServicesTab({ property }: { property: Property }) {
  return (
    <div className={page['cards']}>
      <NotInvited property={property} />
      <Card title="Review services" lead="The form links visitors to these pages. The form’s settings decide who is invited.">
        <Links property={property} />
      </Card>
    </div>
  );
}

/** A form without the block for reviews leads nowhere, whatever links there are. */
function NotInvited({ property: { id, data } }: { property: Property }) {
  const { paths } = useTeam();
  const { data: kept } = useQuery(formVersionQuery(useSource(), data.formId));
  if (!kept || kept.standing === 'deleted' || hasReviewBlock(kept.form.data.steps)) return null;
  return (
    <Notice tone="plain">
      The form doesn’t invite anyone to review right now.{' '}
      <Link to={paths.propertyConfiguration(id)} search={searchOf('form')}>
        Change that
      </Link>
    </Notice>
  );
}

function Links({ property: { id, data } }: { property: Property }) {
  const save = useAction('property', 'save');
  const initialValues: { links: TypedLinks } = { links: typedLinks(data.service) };
  const form = useForm({ initialValues, schema: SCHEMA, action: save });
  const { links } = form.values;
  const isDirty = form.isDirty();
  const kept = JSON.stringify(initialValues);

  // Somebody else saved other links, and nothing was typed here; or they came back in their canonical form.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other links are adopted
  useEffect(() => {
    if (!isDirty) form.setValues(initialValues);
    form.setInitialValues(initialValues);
  }, [kept]);

  const submit = () =>
    save.run({ payload: { id, data: { service: chosenServices(links) } } }, (answer) => {
      const saved = { links: typedLinks(answer.property.data.service) };
      form.setInitialValues(saved);
      form.setValues(saved);
      toast('Review links saved.');
    });

  return (
    <Form label="Review services" onSubmit={form.onSubmit(() => void submit())}>
      <UnsavedGuard isOn={isDirty} isSame={isSameTab} />
      <ReviewLinkFields
        legend="Where can visitors review you?"
        links={links}
        onChange={(service, url) => form.setFieldValue(`links.${service}`, url)}
        propsOf={(service) => form.getInputProps(`links.${service}`)}
      />
      {data.service.length > 0 && (
        <p className={styles['try']}>
          Test the links:{' '}
          {data.service.map(({ name, url }) => (
            <a key={name} href={url} target="_blank" rel="noopener noreferrer">
              {name}
              <IconExternalLink size={14} aria-hidden />
              <span className="visually-hidden"> (opens in a new tab)</span>
            </a>
          ))}
        </p>
      )}
      <Submit missing={isDirty ? missingLink(links) : 'Nothing is changed.'} isPending={save.isPending} failure={save.failure}>
        Save links
      </Submit>
    </Form>
  );
}

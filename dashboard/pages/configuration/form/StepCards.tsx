import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { Block, StepType } from '#contract/form/form.ts';
import { blockOf, stepOf } from '#contract/form/steps.ts';
import type { Property } from '#contract/property/property.ts';
import type { PreviewMoment } from '../../../frame/preview/preview-props.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { allOf } from '../../../ui/format/list.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import fieldStyles from '../../../ui/forms/Form.module.css';
import { InviteChoice } from '../../../ui/forms/InviteChoice.tsx';
import type { FormOf } from '../../../ui/forms/useForm.ts';
import { Card } from '../../../ui/page/Page.tsx';
import { NativeSelect, Switch } from '../../../ui/theme/mantine.ts';
import { searchOf } from '../search.ts';
import { serviceLabel } from '../service-label.ts';
import { type FormDraft, hasBlock, newBlock, type OptionalBlock, pathOf, withBlock, withoutBlock } from './draft.ts';
import styles from './StepCards.module.css';

interface StepCardsProps {
  readonly form: FormOf<FormDraft>;
  readonly property: Property;
  /** Moves the preview to the screen being edited. */
  readonly onMoment: (moment: PreviewMoment) => void;
}

const LONGEST_TITLE = 120;
const LONGEST_SUBTITLE = 300;

/** All texts and questions of a form, screen by screen. */
export function StepCards({ form, property, onMoment }: StepCardsProps) {
  const { inviteToReview } = form.values;
  return (
    <>
      <StepCard
        title={t('First screen')}
        lead={t('What every visitor sees')}
        onFocus={() => onMoment({ rating: undefined, screen: 'experience' })}
      >
        <Line form={form} path={`${pathOf(form.values.steps, 'experience')}.title`} label={t('Question')} />
        <p className={styles['fixed']}>{t('The five faces always appear below it, and are required.')}</p>
      </StepCard>
      <StepCard
        title={t('Comment')}
        lead={t('An open question, never required')}
        onFocus={() => onMoment({ rating: 1, screen: 'experience' })}
      >
        <Optional form={form} kind="OpenText" label={t('Ask for a comment')} services={property.data.service}>
          <Words form={form} />
        </Optional>
      </StepCard>
      <StepCard
        title={t('Contact')}
        lead={t('Visitors who want a reply leave a phone number or an email')}
        onFocus={() => onMoment({ rating: 1, screen: 'experience' })}
      >
        <Optional form={form} kind="ContactMe" label={t('Let visitors ask for a reply')} services={property.data.service}>
          <ContactChoice form={form} />
        </Optional>
      </StepCard>
      <StepCard title={t('After a bad rating')} lead={t('Awful and Bad')} onFocus={() => onMoment({ rating: 1, screen: 'done' })}>
        <TitleAndSubtitle form={form} of="sorry" />
      </StepCard>
      <StepCard
        title={t('After an okay or good rating')}
        lead={t('Okay, Good and Great')}
        onFocus={() => onMoment({ rating: 3, screen: 'done' })}
      >
        <TitleAndSubtitle form={form} of="thanks" />
      </StepCard>
      <StepCard
        title={t('Invitation to review')}
        lead={<Services property={property} />}
        onFocus={() => onMoment({ rating: 5, screen: 'done' })}
      >
        <Optional form={form} kind="ExternalReview" label={t('Invite to review')} services={property.data.service}>
          <TitleAndSubtitle form={form} of="spread the word" />
          <InviteChoice
            value={inviteToReview}
            services={property.data.service.map(({ name }) => name)}
            onChange={(chosen) => form.setFieldValue('inviteToReview', chosen)}
          />
        </Optional>
      </StepCard>
    </>
  );
}

interface StepCardProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly onFocus: () => void;
  readonly children: ReactNode;
}

const StepCard = ({ title, lead, onFocus, children }: StepCardProps) => (
  <Card title={title} lead={lead} onFocus={onFocus}>
    <div className={fieldStyles['form']}>{children}</div>
  </Card>
);

interface FieldsProps {
  readonly form: FormOf<FormDraft>;
}

interface LineProps extends FieldsProps {
  readonly path: string;
  readonly label: string;
  readonly limit?: number;
}

const Line = ({ form, path, label, limit = LONGEST_TITLE }: LineProps) => (
  <TextField label={label} autoComplete="off" dir="auto" limit={limit} {...form.getInputProps(path)} />
);

function TitleAndSubtitle({ form, of }: FieldsProps & { of: StepType }) {
  const path = pathOf(form.values.steps, of);
  return (
    <>
      <Line form={form} path={`${path}.title`} label={t('Title')} />
      <Line form={form} path={`${path}.subtitle`} label={t('Text below it (optional)')} limit={LONGEST_SUBTITLE} />
    </>
  );
}

function Words({ form }: FieldsProps) {
  const path = pathOf(form.values.steps, 'experience', 'OpenText');
  const hasPrompts = blockOf(stepOf(form.values.steps, 'experience'), 'OpenText')?.prompts !== undefined;
  return (
    <>
      <Line form={form} path={`${path}.title`} label={hasPrompts ? t('Before a rating') : t('Question')} />
      {hasPrompts && (
        <>
          <Line form={form} path={`${path}.prompts.bad`} label={t('After a bad rating')} />
          <Line form={form} path={`${path}.prompts.okay`} label={t('After an okay rating')} />
          <Line form={form} path={`${path}.prompts.good`} label={t('After a good rating')} />
        </>
      )}
    </>
  );
}

function ContactChoice({ form }: FieldsProps) {
  const path = pathOf(form.values.steps, 'experience', 'ContactMe');
  const selections = blockOf(stepOf(form.values.steps, 'experience'), 'ContactMe')?.selections ?? [];
  const chosen = selections.findIndex((selection) => selection.default);
  return (
    <>
      <Line form={form} path={`${path}.title`} label={t('Question')} />
      <div className={styles['pair']}>
        <Line form={form} path={`${path}.selections.0.text`} label={t('No')} limit={60} />
        <Line form={form} path={`${path}.selections.1.text`} label={t('Yes')} limit={60} />
      </div>
      <NativeSelect
        label={t('Selected by default')}
        data={selections.map(({ text }, value) => ({ value: String(value), label: text || (value === 0 ? t('No') : t('Yes')) }))}
        value={String(chosen)}
        onChange={({ currentTarget }) =>
          form.setFieldValue(
            `${path}.selections`,
            selections.map((selection, index) => ({ ...selection, default: String(index) === currentTarget.value })),
          )
        }
      />
    </>
  );
}

interface OptionalProps extends FieldsProps {
  readonly kind: OptionalBlock;
  readonly label: string;
  readonly services: Property['data']['service'];
  readonly children: ReactNode;
}

/** The switch of an optional block. Switching it back on restores its content. */
function Optional({ form, kind, label, services, children }: OptionalProps) {
  const { steps } = form.values;
  const isOn = hasBlock(steps, kind);
  const removed = useRef<Block>(undefined);

  function toggle(on: boolean): void {
    if (!on) removed.current = steps.flatMap(({ blocks = [] }) => blocks).find(({ blockType }) => blockType === kind);
    form.setFieldValue('steps', on ? withBlock(steps, removed.current ?? newBlock(kind, services)) : withoutBlock(steps, kind));
  }

  return (
    <>
      <Switch label={label} checked={isOn} onChange={({ currentTarget }) => toggle(currentTarget.checked)} />
      {isOn && children}
    </>
  );
}

/** The review services, with a link to their tab. */
function Services({ property: { id, data } }: { property: Property }) {
  const { paths } = useTeam();
  return (
    <>
      {data.service.length === 0 ? t('No link yet') : t('Links to {services}', { services: namesOf(data.service) })} (
      <Link to={paths.propertyConfiguration(id)} search={searchOf('services')}>
        {data.service.length === 0 ? t('add one') : t('change')}
      </Link>
      )
    </>
  );
}

/** Returns "Google and Yelp". */
const namesOf = (services: Property['data']['service']): string => allOf(services.map(({ name }) => serviceLabel(name)));

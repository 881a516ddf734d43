import type { Account } from '#contract/account/account.ts';
import { FIRST_REVIEW_SERVICES } from '#contract/form/review.ts';
import type { User } from '#contract/user/user.ts';
import { type DataSource, useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { localZone } from '../../ui/format/time.ts';
import { TextField } from '../../ui/forms/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/forms/Form.tsx';
import { InviteChoice } from '../../ui/forms/InviteChoice.tsx';
import { ReviewLinkFields } from '../../ui/forms/ReviewLinkFields.tsx';
import { chosenServices } from '../../ui/forms/review-links.ts';
import { useForm } from '../../ui/forms/useForm.ts';
import { ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { GET_STARTED, type GetStartedValues, missingOf } from './get-started.ts';
import { failureOf } from './steps.ts';

const LONGEST_NAME = 60;

/** The last step: creates the first property with its form. Then the gate opens the dashboard. */
export function GetStarted({ account, user }: { account: Account; user: User }) {
  const source = useSource();
  const start = useAction('account', 'getStarted');
  const form = useForm<GetStartedValues>({
    initialValues: { businessName: account.data.displayName, links: {}, inviteToReview: 'good' },
    schema: GET_STARTED,
    action: start,
  });

  const submit = (values: GetStartedValues) =>
    start.run(
      {
        businessName: values.businessName.trim(),
        services: chosenServices(values.links),
        inviteToReview: values.inviteToReview,
        timeZone: localZone(),
      },
      (answer) => welcome(source, answer.account, user),
    );

  return (
    <Form onSubmit={form.onSubmit((values) => void submit(values))}>
      <ViewHeading>{t('Get Started')}</ViewHeading>
      <Lead>{t('One last thing: the place that visitors will rate. You can add more later.')}</Lead>
      <TextField
        label={t('Business name')}
        description={t('Shown to visitors on your form')}
        name="business"
        autoComplete="off"
        limit={LONGEST_NAME}
        {...form.getInputProps('businessName')}
      />
      <ReviewLinkFields
        legend={t('Where can visitors review you?')}
        links={form.values.links}
        services={FIRST_REVIEW_SERVICES}
        onChange={(service, url) => form.setFieldValue(`links.${service}`, url)}
        propsOf={(service) => form.getInputProps(`links.${service}`)}
      />
      <InviteChoice
        value={form.values.inviteToReview}
        services={chosenServices(form.values.links).map(({ name }) => name)}
        onChange={(chosen) => form.setFieldValue('inviteToReview', chosen)}
      />
      <Submit missing={missingOf(form.values)} isPending={start.isPending} failure={failureOf(start)}>
        {t('Go to my dashboard')}
      </Submit>
    </Form>
  );
}

/** Requests the welcome email. The step itself also sends it, once, if this request fails (docs/rules.md#get-started). */
function welcome(source: DataSource, account: Account, user: User): void {
  source
    .call('account', 'notify', { payload: account, ignore: { emailAddress: user.data.emailAddress }, debug: true })
    .catch((error: unknown) => console.warn('We couldn’t send the welcome email:', error));
}

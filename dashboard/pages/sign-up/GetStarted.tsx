import type { Account } from '#contract/account.ts';
import type { User } from '#contract/user.ts';
import { type Source, useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { TextField } from '../../ui/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Heading } from '../../ui/Panel.tsx';
import { useForm } from '../../ui/useForm.ts';
import { FIRST_PLACE, type FirstPlace, missingOf, servicesOf } from './get-started.ts';
import { InviteChoice } from './InviteChoice.tsx';
import { ReviewServices } from './ReviewServices.tsx';
import { failureOf } from './steps.ts';

const LONGEST_NAME = 60;

/** The last step: the first property with its form. Then the gate opens the dashboard. */
export function GetStarted({ account, user }: { account: Account; user: User }) {
  const source = useSource();
  const start = useAction('account', 'getStarted');
  const form = useForm<FirstPlace>({
    initialValues: { businessName: account.data.displayName, links: {}, inviteToReview: 'good' },
    schema: FIRST_PLACE,
    action: start,
  });

  const submit = (place: FirstPlace) =>
    start.run({ businessName: place.businessName.trim(), services: servicesOf(place), inviteToReview: place.inviteToReview }, (answer) =>
      welcome(source, answer.account, user),
    );

  return (
    <Form onSubmit={form.onSubmit((place) => void submit(place))}>
      <Heading>Get Started</Heading>
      <Lead>One last thing: the place that visitors will rate. You can add more later.</Lead>
      <TextField
        label="Business name"
        description="Visitors read it on your form"
        name="business"
        autoComplete="off"
        limit={LONGEST_NAME}
        {...form.getInputProps('businessName')}
      />
      <ReviewServices form={form} />
      <InviteChoice value={form.values.inviteToReview} onChange={(chosen) => form.setFieldValue('inviteToReview', chosen)} />
      <Notice tone="bad">{failureOf(start)}</Notice>
      <Submit missing={missingOf(form.values)} isBusy={start.isPending}>
        Go to my dashboard
      </Submit>
    </Form>
  );
}

/** The welcome mail. Whether it goes out is nothing that should keep anybody here (SPEC §8). */
function welcome(source: Source, account: Account, user: User): void {
  source
    .call('account', 'notify', { payload: account, ignore: { emailAddress: user.data.emailAddress }, debug: true })
    .catch((error: unknown) => console.warn('The welcome mail was not asked for:', error));
}

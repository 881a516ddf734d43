import { useState } from 'react';
import type { Account } from '#contract/account.ts';
import { REVIEW_SERVICES, type ReviewService } from '#contract/review.ts';
import type { User } from '#contract/user.ts';
import { type DataSource, useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { ViewHeading } from '../../ui/CenteredPage.tsx';
import { TextField } from '../../ui/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/Form.tsx';
import { Checkbox, Radio } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { type FormOf, useForm } from '../../ui/useForm.ts';
import styles from './GetStarted.module.css';
import { GET_STARTED, type GetStartedValues, missingOf, servicesOf } from './get-started.ts';
import { failureOf } from './steps.ts';

const LONGEST_NAME = 60;

/** The last step: the first property with its form. Then the gate opens the dashboard. */
export function GetStarted({ account, user }: { account: Account; user: User }) {
  const source = useSource();
  const start = useAction('account', 'getStarted');
  const form = useForm<GetStartedValues>({
    initialValues: { businessName: account.data.displayName, links: {}, inviteToReview: 'good' },
    schema: GET_STARTED,
    action: start,
  });

  const submit = (values: GetStartedValues) =>
    start.run({ businessName: values.businessName.trim(), services: servicesOf(values), inviteToReview: values.inviteToReview }, (answer) =>
      welcome(source, answer.account, user),
    );

  return (
    <Form onSubmit={form.onSubmit((values) => void submit(values))}>
      <ViewHeading>Get Started</ViewHeading>
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
      <Submit missing={missingOf(form.values)} isPending={start.isPending} failure={failureOf(start)}>
        Go to my dashboard
      </Submit>
    </Form>
  );
}

/** The welcome mail. Whether it goes out is nothing that should keep anybody here (docs/rules.md#get-started). */
function welcome(source: DataSource, account: Account, user: User): void {
  source
    .call('account', 'notify', { payload: account, ignore: { emailAddress: user.data.emailAddress }, debug: true })
    .catch((error: unknown) => console.warn('The welcome mail was not asked for:', error));
}

const HOW: Record<ReviewService, string> = {
  Google: 'In your Google Business Profile choose “Ask for reviews” (or “Get more reviews”) and copy the link, such as https://g.page/r/…',
  Yelp: 'Open your business’s page on yelp.com and copy the address from the browser, such as https://www.yelp.com/biz/…',
};

/** Where visitors can review the business, each with the link that was pasted for it. */
function ReviewServices({ form }: { form: FormOf<GetStartedValues> }) {
  // A link that was typed comes back when its service is chosen again.
  const [typed, setTyped] = useState(form.values.links);
  return (
    <fieldset className={styles['group']}>
      <legend>Where can visitors review you?</legend>
      <p className={styles['hint']}>Optional. Choose none, one or both.</p>
      {REVIEW_SERVICES.map((service) => {
        const url = form.values.links[service];
        return (
          <div key={service} className={styles['service']}>
            <Checkbox
              label={service}
              checked={url !== undefined}
              onChange={({ currentTarget }) => {
                setTyped({ ...typed, [service]: url });
                form.setFieldValue(`links.${service}`, currentTarget.checked ? (typed[service] ?? '') : undefined);
              }}
            />
            {url !== undefined && (
              <>
                <TextField
                  label={`${service} review URL`}
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  autoComplete="off"
                  spellCheck={false}
                  {...form.getInputProps(`links.${service}`)}
                />
                <details className={styles['how']}>
                  <summary>How do I find this link?</summary>
                  <p>{HOW[service]}</p>
                </details>
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

interface InviteChoiceProps {
  readonly value: GetStartedValues['inviteToReview'];
  readonly onChange: (value: GetStartedValues['inviteToReview']) => void;
}

/** Who is invited to review, in plain words, with what the services say about it (docs/rules.md#review-invitation). */
function InviteChoice({ value, onChange }: InviteChoiceProps) {
  return (
    <fieldset className={styles['group']}>
      <legend>Who do we invite to review you?</legend>
      <Radio
        name="invite"
        label="Visitors who rate you Good or Great"
        description="Everybody else gets a thank-you or an apology"
        checked={value === 'good'}
        onChange={() => onChange('good')}
      />
      <Radio
        name="invite"
        label="Everyone"
        description="The words change with the rating, the links do not"
        checked={value === 'everyone'}
        onChange={() => onChange('everyone')}
      />
      <Notice tone="plain">
        Google’s policy forbids asking only happy visitors for reviews, and Yelp’s forbids asking at all; so Yelp’s button only says “Find
        us on Yelp”. The choice is yours. You can change it at any time.
      </Notice>
    </fieldset>
  );
}

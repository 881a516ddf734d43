import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '#contract/account.ts';
import type { User } from '#contract/user.ts';
import { propertiesQuery } from '../../data/queries.ts';
import { type Source, useSource } from '../../data/source.ts';
import { Form, Lead } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { type FirstPlace, missingOf, servicesOf } from './get-started.ts';
import { InviteChoice } from './InviteChoice.tsx';
import { ReviewServices } from './ReviewServices.tsx';
import { useSignUpCall } from './useSignUpCall.ts';

const LONGEST_NAME = 60;

/** The last step: the first property with its form. Then the gate opens the dashboard. */
export function GetStarted({ account, user }: { account: Account; user: User }) {
  const source = useSource();
  const client = useQueryClient();
  const call = useSignUpCall(account);
  const [place, setPlace] = useState<FirstPlace>({ businessName: account.data.displayName, links: {}, inviteToReview: 'good' });
  const { businessName, links, inviteToReview } = place;
  const missing = missingOf(place);

  const submit = () =>
    missing === undefined &&
    call.run(async () => {
      const answer = await source.call('account', 'getStarted', {
        businessName: businessName.trim(),
        services: servicesOf(place),
        inviteToReview,
      });
      if (answer.status === 'ok') {
        client.setQueryData(propertiesQuery(source, account.id).queryKey, [answer.property]);
        welcome(source, answer.account, user);
      }
      return answer;
    });

  return (
    <Form onSubmit={() => void submit()}>
      <Heading>Get Started</Heading>
      <Lead>One last thing: the place that visitors will rate. You can add more later.</Lead>
      <TextField
        label="Business name"
        description="Visitors read it on your form"
        name="business"
        autoComplete="off"
        limit={LONGEST_NAME}
        value={businessName}
        onValue={(typed) => setPlace({ ...place, businessName: typed })}
        problem={businessName.trim() === '' ? 'Please fill this in' : undefined}
        refused={call.problemOf('businessName')}
      />
      <ReviewServices links={links} onLinks={(changed) => setPlace({ ...place, links: changed })} />
      <InviteChoice value={inviteToReview} onChange={(chosen) => setPlace({ ...place, inviteToReview: chosen })} />
      <Notice tone="bad">{call.failure}</Notice>
      <Submit missing={missing} isBusy={call.isBusy}>
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

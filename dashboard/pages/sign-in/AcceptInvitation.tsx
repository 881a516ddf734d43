import { IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import * as v from 'valibot';
import type { Invitation } from '#contract/user/user.ts';
import { messageOf } from '../../data/errors.ts';
import { invitationQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { TermsCheckbox } from '../../frame/chrome/Legal.tsx';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { clearLink, useMailedLink } from '../../session/link.ts';
import { usePoolAction } from '../../session/pool.ts';
import { PasswordField } from '../../ui/forms/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { firstMissing, newPassword, requirement } from '../../ui/forms/validation.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { CenteredPage, ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { Button } from '../../ui/theme/mantine.ts';

/** Accepts an emailed invitation: shows who sent it, sets a password and signs in. */
export function AcceptInvitation() {
  const { link } = useMailedLink();
  const key = link?.to === 'invite' ? link.key : '';
  const { data, error, isFetching, refetch } = useQuery(invitationQuery(useSource(), key));
  return (
    <CenteredPage below={data !== null && <TextLink onClick={clearLink}>{t('Already have an account? Sign in')}</TextLink>}>
      {data && <Join key={key} inviteKey={key} invitation={data} />}
      {data === null && <Expired />}
      {data === undefined && (
        <Form onSubmit={() => void refetch()}>
          <ViewHeading>{t('Join your team')}</ViewHeading>
          {error ? (
            <Submit isPending={isFetching} failure={isFetching ? undefined : messageOf(error)}>
              {t('Try again')}
            </Submit>
          ) : (
            <Lead>{t('Opening your invitation...')}</Lead>
          )}
        </Form>
      )}
    </CenteredPage>
  );
}

const SCHEMA = v.object({ password: newPassword, hasAccepted: v.literal(true) });

function Join({ inviteKey, invitation }: { inviteKey: string; invitation: Invitation }) {
  const { emailAddress, companyName, isNewAccount = false } = invitation;
  const accept = useAction('user', 'accept');
  const signIn = usePoolAction('signIn');
  const navigate = useNavigate();
  const form = useForm({ initialValues: { password: '', hasAccepted: !isNewAccount }, schema: SCHEMA, action: accept });
  const { password } = form.values;
  const missing = firstMissing(requirement(newPassword, password, t('Choose a password of 8 or more characters.')), [
    !form.values.hasAccepted,
    t('Accept the Terms of Service.'),
  ]);

  /** Signs in with the new password. If that fails, opens the sign-in page with the email. */
  async function enter(email: string): Promise<void> {
    const isIn = await signIn.run({ email, password });
    if (!isIn) await navigate({ to: paths.feed, state: { signIn: { at: 'login', email, news: 'joined' } } });
    clearLink();
  }

  return (
    <Form onSubmit={form.onSubmit(() => void accept.run({ key: inviteKey, password }, ({ data }) => void enter(data.emailAddress)))}>
      <ViewHeading>
        {isNewAccount ? t('Set up {name}', { name: companyName ?? '' }) : t('Join {name}', { name: companyName ?? 'Afterword' })}
      </ViewHeading>
      <Lead>
        {invitedBy(invitation)} {t('You’ll sign in as {email}. Choose a password.', { email: emailAddress })}
      </Lead>
      {/* Lets password managers save the password with the email. */}
      <input type="email" name="username" autoComplete="username" value={emailAddress} readOnly hidden />
      <PasswordField isNew {...form.getInputProps('password')} />
      {isNewAccount && <TermsCheckbox {...form.getInputProps('hasAccepted', { type: 'checkbox', withError: false })} />}
      <Submit missing={missing} isPending={accept.isPending || signIn.isPending} failure={accept.failure}>
        {isNewAccount ? t('Open my account') : t('Join')}
      </Submit>
    </Form>
  );
}

function invitedBy({ invitedBy: name, companyName, isNewAccount }: Invitation): string {
  if (isNewAccount) return t('You were invited to set it up.');
  if (companyName === undefined) return t('You were invited to run this installation.');
  return name === undefined
    ? t('You were invited to {company}.', { company: companyName })
    : t('{name} invited you to {company}.', { name, company: companyName });
}

const Expired = () => (
  <EmptyState
    icon={<IconMailOff size={32} stroke={1.5} aria-hidden />}
    title={<ViewHeading>{t('This invitation is no longer valid')}</ViewHeading>}
    action={<Button onClick={clearLink}>{t('Sign in')}</Button>}
  >
    {t('If you’ve already joined, sign in. If not, ask for a new link: each works once, for seven days, until a newer one is sent.')}
  </EmptyState>
);

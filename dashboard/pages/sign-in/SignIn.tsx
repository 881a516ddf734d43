import { Link } from '@tanstack/react-router';
import { useEffect, useReducer, useState } from 'react';
import { LegalLinks, LegalNotice, type LegalPage } from '../../frame/Legal.tsx';
import { VerifyEmail } from '../../frame/VerifyEmail.tsx';
import { paths } from '../../paths.ts';
import { clearLink, type MailedLink, useMailedLink } from '../../session/link.ts';
import { usePoolAction } from '../../session/pool.ts';
import { CenteredPage, ViewHeading } from '../../ui/CenteredPage.tsx';
import { CodeForm } from '../../ui/CodeForm.tsx';
import { Lead } from '../../ui/Form.tsx';
import { BackLink } from '../../ui/TextLink.tsx';
import { Login } from './Login.tsx';
import { ForgotPassword, ResetPassword } from './ResetPassword.tsx';
import { INITIAL, type SignInState, signInReducer, type Transition } from './state.ts';

/** Signing in, at whatever address the person came to; the address stays as it is. */
export function SignIn() {
  const { link } = useMailedLink();
  const [state, dispatch] = useReducer(signInReducer, link, stateFor);
  const [legal, setLegal] = useState<LegalPage>();
  // A link that was opened while this page was here already.
  useEffect(() => {
    if (link?.to === 'reset') dispatch({ to: 'link', link });
  }, [link]);

  return (
    <CenteredPage
      above={state.at !== 'login' && <BackLink onClick={() => leave({ to: 'login' })}>Sign in</BackLink>}
      below={
        <>
          <p>
            Don’t have an account? <Link to={paths.signUp}>Sign up</Link>
          </p>
          <LegalLinks onMissing={setLegal} />
        </>
      }
    >
      <View key={`${state.at} ${state.linkCode}`} state={state} go={leave} />
      <LegalNotice page={legal} onClose={() => setLegal(undefined)} />
    </CenteredPage>
  );

  /** A mailed link is used up once its view is left. */
  function leave(next: Transition): void {
    dispatch(next);
    if (next.to !== 'typed') clearLink();
  }
}

/** A mailed code goes straight to its view. */
const stateFor = (link: MailedLink | undefined): SignInState =>
  link?.to === 'reset' ? signInReducer(INITIAL, { to: 'link', link }) : INITIAL;

function View({ state, go }: { state: SignInState; go: (next: Transition) => void }) {
  const { at, email, password, linkCode, notice } = state;
  const onTyped = (typed: { email: string; password?: string }) => go({ to: 'typed', ...typed });
  switch (at) {
    case 'login':
      return (
        <Login
          email={email}
          password={password}
          onTyped={onTyped}
          notice={notice}
          onForgot={() => go({ to: 'forgot' })}
          onNext={(step) => go({ to: step })}
        />
      );
    case 'forgot':
      return <ForgotPassword email={email} onTyped={onTyped} onRequested={() => go({ to: 'code requested' })} />;
    case 'reset':
      return <ResetPassword email={email} onTyped={onTyped} linkCode={linkCode} onReset={() => go({ to: 'password reset' })} />;
    case 'verify':
      return <VerifyEmail email={email} isFresh={false} onVerified={() => go({ to: 'email verified' })} />;
    case 'totp':
      return <SecondStep />;
  }
}

/** The six digits of the authenticator app, after the password. */
function SecondStep() {
  const answer = usePoolAction('answerChallenge');
  return (
    <CodeForm from="app" verb="Continue" action={answer} onCode={(code) => void answer.run(code)}>
      <ViewHeading>Two-step sign-in</ViewHeading>
      <Lead>Open your authenticator app and enter its code for Afterword.</Lead>
    </CodeForm>
  );
}

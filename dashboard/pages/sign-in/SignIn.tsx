import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useReducer } from 'react';
import { usePublicConfig } from '../../data/usePublicConfig.ts';
import { LegalLinks } from '../../frame/chrome/Legal.tsx';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { clearLink, type MailedLink, useMailedLink } from '../../session/link.ts';
import { CenteredPage } from '../../ui/page/CenteredPage.tsx';
import { BackLink } from '../../ui/page/TextLink.tsx';
import { Login } from './Login.tsx';
import { ForgotPassword, ResetPassword } from './ResetPassword.tsx';
import { SecondStep } from './SecondStep.tsx';
import { INITIAL, noticeOf, placeOf, type SignInPlace, type SignInState, signInReducer, type Transition } from './state.ts';
import { VerifyAndSignIn } from './VerifyAndSignIn.tsx';
import { Welcome } from './Welcome.tsx';

/** The sign-in screen, at any address. The address stays, and each view is an entry of the browser history. */
export function SignIn() {
  const { link } = useMailedLink();
  const registration = usePublicConfig()?.registration;
  const { history } = useRouter();
  const place = useRouterState({ select: ({ location }) => location.state.signIn });
  const [state, dispatch] = useReducer(signInReducer, { link, place }, stateFor);
  // Follows Back and Forward, and links opened while this page is shown.
  useEffect(() => {
    if (link?.to === 'reset') dispatch({ to: 'link', link });
    else dispatch({ to: 'place', place });
  }, [link, place]);

  return (
    <CenteredPage
      intro={state.at === 'login' && <Welcome />}
      above={state.at !== 'login' && <BackLink onClick={() => go({ to: 'login' })}>{t('Sign in')}</BackLink>}
      below={
        <>
          {registration === 'open' && (
            <p>
              {t('Don’t have an account?')} <Link to={paths.signUp}>{t('Sign up')}</Link>
            </p>
          )}
          <LegalLinks />
        </>
      }
    >
      <View key={`${state.at} ${state.linkCode}`} state={state} go={go} />
    </CenteredPage>
  );

  function go(next: Transition): void {
    dispatch(next);
    if (next.to === 'typed') return;
    // Leaving the view of an emailed link uses the link up.
    clearLink();
    const nextState = { signIn: placeOf(signInReducer(state, next)) };
    if (next.to === 'password reset') history.replace(history.location.href, nextState);
    else history.push(history.location.href, nextState);
  }
}

/** Returns the initial state. An emailed code opens the reset view. */
const stateFor = ({ link, place }: { link: MailedLink | undefined; place: SignInPlace | undefined }): SignInState =>
  signInReducer(INITIAL, link?.to === 'reset' ? { to: 'link', link } : { to: 'place', place });

function View({ state, go }: { state: SignInState; go: (next: Transition) => void }) {
  const { at, email, password, linkCode } = state;
  const onTyped = (typed: { email?: string; password?: string }) => go({ to: 'typed', ...typed });
  switch (at) {
    case 'login':
      return (
        <Login
          email={email}
          password={password}
          onTyped={onTyped}
          notice={noticeOf(state)}
          onForgot={() => go({ to: 'forgot' })}
          onNext={(step) => go({ to: step })}
        />
      );
    case 'forgot':
      return <ForgotPassword email={email} onTyped={onTyped} onRequested={() => go({ to: 'code requested' })} />;
    case 'reset':
      return <ResetPassword email={email} onTyped={onTyped} linkCode={linkCode} onReset={() => go({ to: 'password reset' })} />;
    case 'verify':
      return <VerifyAndSignIn email={email} password={password} onNext={(step) => go({ to: step })} />;
    case 'totp':
      return <SecondStep />;
  }
}

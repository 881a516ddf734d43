import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/Panel.tsx';
import { AskYourTeam } from './AskYourTeam.tsx';
import { LegalLinks } from './LegalLinks.tsx';
import { Login } from './Login.tsx';

/** The steps of getting in (SPEC §4): each is a view of the same panel. */
export type Workflow = 'login' | 'forgot';

/** The way in, at whatever address somebody came to; the address stays as it is. */
export function SignIn() {
  const [workflow, setWorkflow] = useState<Workflow>('login');
  const [email, setEmail] = useState('');
  return (
    <Panel
      below={
        <>
          <p>
            Don’t have an account? <Link to={paths.signUp}>Sign up</Link>
          </p>
          <LegalLinks />
        </>
      }
    >
      {workflow === 'login' ? (
        <Login email={email} onEmail={setEmail} onForgot={() => setWorkflow('forgot')} />
      ) : (
        <AskYourTeam onBack={() => setWorkflow('login')} />
      )}
    </Panel>
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/Panel.tsx';
import { LegalLinks } from './LegalLinks.tsx';
import { Login } from './Login.tsx';
import { Notice } from './Notice.tsx';

/** The steps of getting in (SPEC §4), and what can be read on the way: each is a view of the same panel. */
export type Workflow = 'login' | keyof typeof NOTICES;

const NOTICES = {
  forgot: {
    title: 'Forgot password?',
    text: 'Ask an admin of your team, or whoever runs this installation, to set a new password for you.',
  },
  privacy: {
    title: 'Privacy policy',
    text: 'Whoever runs this installation has not linked a privacy policy yet. Ask them how they handle your data.',
  },
  terms: { title: 'Terms', text: 'Whoever runs this installation has not linked terms of service yet. Ask them which apply.' },
} as const;

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
          <LegalLinks onMissing={setWorkflow} />
        </>
      }
    >
      {workflow === 'login' ? (
        <Login email={email} onEmail={setEmail} onForgot={() => setWorkflow('forgot')} />
      ) : (
        <Notice key={workflow} {...NOTICES[workflow]} onBack={() => setWorkflow('login')} />
      )}
    </Panel>
  );
}

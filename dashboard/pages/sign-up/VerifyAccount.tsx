import { useNavigate } from '@tanstack/react-router';
import { Verify } from '../../frame/Verify.tsx';
import { paths } from '../../paths.ts';
import { signIn } from '../../session/session.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { dropPending, type Pending } from './pending.ts';

/** The first step goes on in the same panel: the address is verified, and the password that was just typed signs in. */
export function VerifyAccount({ pending: { email, password } }: { pending: Pending }) {
  const navigate = useNavigate();

  async function go(): Promise<void> {
    // Verified is verified: whatever signing in says now, the sign-in screen goes on from here.
    const step = password === undefined ? undefined : await signIn(email, password).catch(() => undefined);
    dropPending();
    if (step !== 'done') await navigate({ to: paths.feed });
  }

  return (
    <>
      <Verify email={email} isFresh={password !== undefined} onVerified={go} />
      <TextLink onClick={dropPending}>Use another email address</TextLink>
    </>
  );
}

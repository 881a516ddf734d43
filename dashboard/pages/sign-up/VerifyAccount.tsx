import { useNavigate } from '@tanstack/react-router';
import { Verify } from '../../frame/Verify.tsx';
import { paths } from '../../paths.ts';
import { usePoolAction } from '../../session/pool.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { dropPending, type Pending } from './pending.ts';

/** The first step goes on in the same panel: the address is verified, and the password that was just typed signs in. */
export function VerifyAccount({ pending: { email, password } }: { pending: Pending }) {
  const navigate = useNavigate();
  const signIn = usePoolAction('signIn');

  /** Verified is verified: whatever signing in says now, the sign-in screen goes on from here. */
  async function enter(): Promise<void> {
    let isIn = false;
    if (password !== undefined)
      await signIn.run({ email, password }, (step) => {
        isIn = step === 'done';
      });
    dropPending();
    if (!isIn) await navigate({ to: paths.feed });
  }

  return (
    <>
      <Verify email={email} isFresh={password !== undefined} onVerified={() => void enter()} isBusy={signIn.isPending} />
      <TextLink onClick={dropPending}>Use another email address</TextLink>
    </>
  );
}

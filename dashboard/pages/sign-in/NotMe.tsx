import { ByLink } from './ByLink.tsx';

/** Locks an account by the link from a mail about it. */
export const NotMe = () => (
  <ByLink
    to="not-me"
    action="lock"
    words={{
      title: 'Lock your account?',
      lead: 'If you didn’t make the change that the mail tells of, lock your account. Everybody is signed out, also you, and the password no longer works. You set a new one by mail.',
      verb: 'Lock my account',
      done: {
        title: 'Your account is locked',
        text: 'Everybody is signed out. Now choose “Forgot password” at the sign-in: the code for a new one goes to the address that had the mail.',
      },
      over: 'It was used, it is more than seven days old, or your account was locked by an earlier mail.',
    }}
  />
);

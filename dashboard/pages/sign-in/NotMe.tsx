import { t } from '../../language.ts';
import { LinkAction } from './LinkAction.tsx';

/** Locks an account by the link in a notification email. */
export const NotMe = () => (
  <LinkAction
    to="not-me"
    action="lock"
    words={{
      title: t('Lock your account?'),
      lead: t(
        'If you didn’t make this change, lock your account. Everyone will be signed out, including you, and the password will stop working. You can set a new one by email.',
      ),
      verb: t('Lock my account'),
      done: {
        title: t('Your account is locked'),
        text: t(
          'Everyone is signed out. To set a new password, choose “Forgot password” on the sign-in page. The code goes to the address that received the email.',
        ),
      },
      expired: t('It was already used, is more than seven days old, or your account was locked by an earlier email.'),
    }}
  />
);

import { IconDoorOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../ui/hooks.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { CenteredPage } from '../../ui/page/CenteredPage.tsx';
import { Button } from '../../ui/theme/mantine.ts';

interface SignUpClosedProps {
  readonly registration: Exclude<PublicConfig['registration'], 'open'>;
  readonly isSignedIn: boolean;
}

const WORDS = translatable({
  invitation: {
    title: 'New accounts are by invitation',
    text: 'If you have an invitation, open the link in the email. If not, ask the person who runs this site for one.',
  },
  closed: {
    title: 'Sign-up is closed',
    text: 'This site doesn’t accept new accounts. If your team uses it, ask an admin of your team to invite you.',
  },
});

/** Shown if sign-up is closed or by invitation only. */
export function SignUpClosed({ registration, isSignedIn }: SignUpClosedProps) {
  const { title, text } = WORDS[registration];
  useTitle(t(title));
  return (
    <CenteredPage>
      <EmptyState
        icon={<IconDoorOff size={32} stroke={1.5} aria-hidden />}
        title={<h1>{t(title)}</h1>}
        action={
          isSignedIn ? (
            <Button component={Link} to={paths.signOut} variant="default">
              {t('Sign out')}
            </Button>
          ) : (
            <Button component={Link} to={paths.feed}>
              {t('Sign in')}
            </Button>
          )
        }
      >
        {t(text)}
      </EmptyState>
    </CenteredPage>
  );
}

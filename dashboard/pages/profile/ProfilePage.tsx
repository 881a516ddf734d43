import { setTheme, type Theme, usePersisted } from '../../data/persisted.ts';
import { setSingleKeys, useSingleKeys } from '../../data/shortcuts.ts';
import { usePanel } from '../../frame/panel.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { useSession } from '../../session/session.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { Card, Page } from '../../ui/page/Page.tsx';
import { Button, Radio, Switch } from '../../ui/theme/mantine.ts';
import { ChangeEmail } from './ChangeEmail.tsx';
import { Sessions, TrustedBrowsers } from './Devices.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import styles from './ProfilePage.module.css';
import { Push } from './Push.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { You } from './You.tsx';

export const ProfilePage = () => (
  <Page title={t('Profile')}>
    <Profile />
  </Page>
);

export const ProfilePanel = () => <Profile isPanel />;

/** Your name and picture, sign-in, notifications and appearance. A page, or a panel over another page. */
function Profile({ isPanel = false }: { isPanel?: boolean }) {
  const { isDemo, isTeamless } = useTeam();
  const { isOwnPool } = useSession();
  const { open } = usePanel();
  return (
    <div className={styles['profile']} data-panel={isPanel || undefined}>
      {!isTeamless && <You />}
      {isDemo && <Notice tone="plain">{t('This is a demo without sign-in, so there’s no email, password or device to change.')}</Notice>}
      <ChangeEmail />
      <Card
        title={t('Password')}
        lead={
          isOwnPool || isDemo
            ? t('Changing it signs you out of your other browsers.')
            : t('Changing it leaves your other browsers signed in. Sign out everywhere if someone may know the old one.')
        }
        action={
          <Button id="change-password" variant="default" disabled={isDemo} onClick={() => open('password', { opener: 'change-password' })}>
            {t('Change password')}
          </Button>
        }
      />
      {!isTeamless && <Push />}
      <SecondFactor />
      <Sessions />
      <TrustedBrowsers />
      <LanguageChoice />
      <Appearance />
    </div>
  );
}

/** The theme and shortcuts of this browser. */
function Appearance() {
  const { theme } = usePersisted();
  const { areOn } = useSingleKeys();
  return (
    <Card title={t('This browser')}>
      <Radio.Group label={t('Theme')} value={theme} onChange={(chosen) => setTheme(chosen as Theme)}>
        <div className={styles['actions']}>
          <Radio value="light" label={t('Light')} mt={8} mr={16} />
          <Radio value="dark" label={t('Dark')} mt={8} />
        </div>
      </Radio.Group>
      <Switch
        label={t('Single-key shortcuts')}
        description={t('J, K, 1 to 5 and more in the feed. Press ? for the list.')}
        checked={areOn}
        onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
      />
    </Card>
  );
}

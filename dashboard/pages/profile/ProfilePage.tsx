import { setKeys, setTheme, type Theme, usePersisted } from '../../data/persisted.ts';
import { usePanel } from '../../frame/panel.ts';
import { useTeam } from '../../frame/team.ts';
import { Button, Radio, Switch } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { ChangeEmail } from './ChangeEmail.tsx';
import { Devices, Sessions } from './Devices.tsx';
import styles from './ProfilePage.module.css';
import { SecondFactor } from './SecondFactor.tsx';
import { You } from './You.tsx';

export const ProfilePage = () => (
  <Page title="Profile">
    <Profile />
  </Page>
);

export const ProfilePanel = () => <Profile isPanel />;

/** The signed-in person's own: how others see them, how they sign in, how this page behaves. As a page, or as a panel over another. */
function Profile({ isPanel = false }: { isPanel?: boolean }) {
  const { isDemo } = useTeam();
  const { open } = usePanel();
  return (
    <div className={styles['profile']} data-panel={isPanel || undefined}>
      <You />
      {isDemo && <Notice tone="plain">This is the demo: nobody is signed in, so there is no email, password or device to change.</Notice>}
      <ChangeEmail />
      <Card
        title="Password"
        lead="Changing it signs you out of your other devices"
        action={
          <Button id="change-password" variant="default" disabled={isDemo} onClick={() => open('password', { opener: 'change-password' })}>
            Change password
          </Button>
        }
      />
      <SecondFactor />
      <Sessions />
      <Devices />
      <Appearance />
    </div>
  );
}

/** How the pages look and listen, in this browser. */
function Appearance() {
  const { theme, keys } = usePersisted();
  return (
    <Card title="This browser">
      <Radio.Group label="Theme" value={theme} onChange={(chosen) => setTheme(chosen as Theme)}>
        <div className={styles['actions']}>
          <Radio value="light" label="Light" mt={8} mr={16} />
          <Radio value="dark" label="Dark" mt={8} />
        </div>
      </Radio.Group>
      <Switch
        label="Single-key shortcuts"
        description="J, K, 1 to 5 and others in the feed, ? for the list of them"
        checked={keys}
        onChange={({ currentTarget }) => setKeys(currentTarget.checked)}
      />
    </Card>
  );
}

import { DemoNote } from '../../frame/Access.tsx';
import { usePanel } from '../../frame/panel.ts';
import { useTeam } from '../../frame/team.ts';
import { Button } from '../../ui/mantine.ts';
import { Card } from '../../ui/Page.tsx';
import { Appearance } from './Appearance.tsx';
import { Devices } from './Devices.tsx';
import { EmailAddress } from './EmailAddress.tsx';
import { Name } from './Name.tsx';
import { Picture } from './Picture.tsx';
import styles from './Profile.module.css';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';

export const ProfilePanel = () => <Profile isPanel />;

/** What is one's own: how others see it, how one signs in, how this page behaves. As a page, or as a panel over another. */
export function Profile({ isPanel = false }: { isPanel?: boolean }) {
  const { isDemo } = useTeam();
  const { open } = usePanel();
  return (
    <div className={styles['profile']} data-panel={isPanel || undefined}>
      <DemoNote of="the profile" />
      <Card title="You">
        <Picture />
        <Name />
      </Card>
      <EmailAddress />
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

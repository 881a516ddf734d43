import { useEffect } from 'react';
import { translatable } from '#contract/language/translate.ts';
import type { PushDevice } from '#contract/notification/device.ts';
import { t } from '../../language.ts';
import { moment } from '../../ui/format/time.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { SpokenLabel } from '../../ui/Rich.tsx';
import { Button, Switch } from '../../ui/theme/mantine.ts';
import styles from './ProfilePage.module.css';
import { type PushTrouble, usePush } from './usePush.ts';

/** Turns on push notifications in this browser, and lists your other devices that have them. */
export function Push() {
  const push = usePush();
  const { trouble, devices, mine, isPending, failure, test } = push;
  useInstallable(trouble === 'after-install');

  async function sendTest({ id }: PushDevice): Promise<void> {
    if (await test.run({ deviceId: id })) toast(t('A test is on its way.'));
  }

  return (
    <Card
      title={t('Notifications on this device')}
      lead={t('Urgent feedback, mentions and assignments, even while Afterword is closed.')}
      action={
        mine && (
          <Button variant="default" loading={test.isPending} onClick={() => void sendTest(mine)}>
            {t('Send a test')}
          </Button>
        )
      }
    >
      <Switch
        label={t('Show notifications on this device')}
        checked={mine !== undefined}
        disabled={trouble !== undefined || devices === undefined || isPending}
        onChange={() => void (mine ? push.turnOff(mine) : push.turnOn())}
      />
      {trouble && <p className={styles['hint']}>{t(TROUBLES[trouble])}</p>}
      {mine && (
        <Switch
          label={t('Show the visitor’s words')}
          description={t('Anyone who sees the screen can read them. Names, phone numbers and emails are never shown.')}
          checked={mine.data.showsWords}
          disabled={isPending}
          onChange={({ currentTarget }) => void push.showWords(currentTarget.checked)}
        />
      )}
      {devices && devices.length > 0 && (
        <ul className={styles['devices']} aria-label={t('Your devices with notifications')}>
          {devices.map((device) => (
            <DeviceItem key={device.id} device={device} isPending={isPending} onRemove={() => push.remove(device)} />
          ))}
        </ul>
      )}
      <Notice tone="bad">{failure}</Notice>
    </Card>
  );
}

const TROUBLES = translatable({
  demo: 'The demo doesn’t send notifications.',
  unsupported: 'This browser can’t show notifications while Afterword is closed.',
  'after-install':
    'On an iPhone or iPad, choose Share and then Add to Home Screen. Open Afterword from there, and turn notifications on here.',
  denied: 'This browser blocks notifications from this site. Allow them in the browser’s site settings, then reload the page.',
} satisfies Record<PushTrouble, string>);

/** Adds the web app manifest, which iPhones need before they install the app. */
function useInstallable(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const link = Object.assign(document.createElement('link'), { rel: 'manifest', href: '/app.webmanifest' });
    document.head.append(link);
    return () => link.remove();
  }, [isNeeded]);
}

interface DeviceItemProps {
  readonly device: PushDevice;
  readonly isPending: boolean;
  readonly onRemove: () => void;
}

function DeviceItem({ device: { data }, isPending, onRemove }: DeviceItemProps) {
  return (
    <li>
      <div>
        {data.label}
        <span>{data.isThis ? t('This device · {state}', { state: stateOf(data) }) : stateOf(data)}</span>
      </div>
      {!data.isThis && (
        <Button size="compact-sm" variant="default" disabled={isPending} onClick={onRemove}>
          <SpokenLabel text={t('Remove<spoken> {device}</spoken>', { device: data.label })} />
        </Button>
      )}
    </li>
  );
}

function stateOf({ created, delivered, failingSince }: PushDevice['data']): string {
  if (failingSince !== undefined) return t('Not delivered since {moment}', { moment: moment(failingSince) });
  return delivered === undefined
    ? t('Added {moment}', { moment: moment(created) })
    : t('Last notified {moment}', { moment: moment(delivered) });
}

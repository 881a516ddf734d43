import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PushDevice } from '#contract/notification/device.ts';
import { deviceName } from '#contract/notification/device-name.ts';
import { pushDevicesQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { currentSubscription, pushSupport, subscribeBrowser } from '../../session/push.ts';

/** The reason that this browser can't show notifications. */
export type PushTrouble = 'demo' | 'unsupported' | 'after-install' | 'denied';

const SUBSCRIPTION = ['browser', 'push'] as const;

/** Returns your devices with push notifications, and the actions on them. */
export function usePush() {
  const { isDemo } = useTeam();
  const client = useQueryClient();
  const support = pushSupport();
  const canPush = !isDemo && support === 'yes';
  const [permission, setPermission] = useState(() => (canPush ? Notification.permission : 'default'));
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const { data: subscription = null } = useQuery({ queryKey: SUBSCRIPTION, queryFn: currentSubscription, enabled: canPush, staleTime: 0 });
  const query = useQuery({ ...pushDevicesQuery(useSource(), subscription?.endpoint), enabled: !isDemo });
  const [save, remove, test] = [
    useAction('device', 'save'),
    useAction('device', 'delete', { allowNotFound: true }),
    useAction('device', 'test'),
  ];
  const mine = permission === 'granted' ? query.data?.devices.find(({ data }) => data.isThis) : undefined;

  return {
    trouble: troubleOf({ isDemo, support, permission }),
    devices: query.data?.devices,
    mine,
    isPending: isPending || save.isPending || remove.isPending,
    failure: problem ?? save.failure ?? remove.failure ?? test.failure ?? (query.isError ? t('We couldn’t load your devices.') : undefined),
    test,
    /** Asks the browser for permission, if necessary, and subscribes. */
    async turnOn(): Promise<void> {
      const { publicKey } = query.data ?? {};
      if (publicKey === undefined) return;
      setPending(true);
      setProblem(undefined);
      try {
        const answer = await Notification.requestPermission();
        setPermission(answer);
        if (answer === 'granted') await store(await subscribeBrowser(publicKey), { showsWords: false });
      } catch {
        setProblem(t('This browser didn’t allow it. Try again, or check its settings for this site.'));
      } finally {
        setPending(false);
      }
    },
    async turnOff({ id }: PushDevice): Promise<void> {
      if (await remove.run({ deviceId: id })) await subscription?.unsubscribe();
      await client.invalidateQueries({ queryKey: SUBSCRIPTION });
    },
    async showWords(showsWords: boolean): Promise<void> {
      if (subscription) await store(subscription, { showsWords });
    },
    /** Removes another device. */
    remove: ({ id }: PushDevice) => void remove.run({ deviceId: id }),
  };

  async function store(current: PushSubscription, { showsWords }: { showsWords: boolean }): Promise<void> {
    const { endpoint = '', keys } = current.toJSON();
    const { p256dh = '', auth = '' } = keys ?? {};
    const data = { endpoint, keys: { p256dh, auth }, label: deviceName(navigator.userAgent), showsWords };
    if (!(await save.run({ payload: { data } })) && current !== subscription) await current.unsubscribe();
    await client.invalidateQueries({ queryKey: SUBSCRIPTION });
  }
}

interface PushCircumstances {
  readonly isDemo: boolean;
  readonly support: ReturnType<typeof pushSupport>;
  readonly permission: NotificationPermission;
}

function troubleOf({ isDemo, support, permission }: PushCircumstances): PushTrouble | undefined {
  if (isDemo) return 'demo';
  if (support !== 'yes') return support === 'no' ? 'unsupported' : 'after-install';
  return permission === 'denied' ? 'denied' : undefined;
}

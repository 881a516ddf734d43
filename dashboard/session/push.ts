/* Push notifications in this browser (docs/rules.md#push). */

/** The address of the service worker. */
const PUSH_WORKER = '/push-worker.js';

/** This browser's support for push; an iPhone has it once the page is on the home screen. */
type PushSupport = 'yes' | 'after-install' | 'no';

export function pushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'yes';
  return /iPhone|iPad/.test(navigator.userAgent) ? 'after-install' : 'no';
}

const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration('/') : undefined;

/** Returns this browser's subscription; null without one. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  return (await (await registration())?.pushManager?.getSubscription()) ?? null;
}

/** Subscribes this browser with the installation's key. Ask for permission first. */
export async function subscribeBrowser(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(PUSH_WORKER, { scope: '/', updateViaCache: 'none' });
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with another key would receive nothing.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** Unsubscribes this browser and closes its notifications. Needn't be awaited: the server sends nothing to an ended session. */
export async function leaveBrowser(): Promise<void> {
  try {
    await (await currentSubscription())?.unsubscribe();
    await closeShown(() => true);
  } catch {
    // The browser doesn't support push, or blocks it.
  }
}

/** Closes the notifications shown by this browser for which `isOver` returns true, given the notification's id; a digest has none. */
export async function closeShown(isOver: (id: string | undefined) => boolean): Promise<void> {
  const shown = (await (await registration())?.getNotifications?.()) ?? [];
  for (const each of shown) if (isOver((each.data as { readonly id?: string } | null)?.id)) each.close();
}

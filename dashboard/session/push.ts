/* What this browser shows while no page of the product is open (docs/rules.md#push). */

/** Where the program that shows it is served. */
const PUSH_WORKER = '/push-worker.js';

/** Whether this browser can show anything; an iPhone's can once the page is on the home screen. */
export type PushSupport = 'yes' | 'after-install' | 'no';

export function pushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'yes';
  return /iPhone|iPad/.test(navigator.userAgent) ? 'after-install' : 'no';
}

const registered = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration('/') : undefined;

/** How this browser is subscribed; null where it is not. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  return (await (await registered())?.pushManager?.getSubscription()) ?? null;
}

/** Subscribes this browser, by the installation's key. Ask for permission first. */
export async function subscribeBrowser(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(PUSH_WORKER, { scope: '/', updateViaCache: 'none' });
  const { pushManager } = await navigator.serviceWorker.ready;
  // By another key, it would hear of nothing.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** Ends it, and takes away what is shown. Nobody waits for it: the server sends nothing to a sign-in that has ended. */
export async function leaveBrowser(): Promise<void> {
  try {
    await (await currentSubscription())?.unsubscribe();
    await closeShown(() => true);
  } catch {
    // The browser has none of it, or keeps it to itself.
  }
}

/** What this browser shows of the product's, taken away where it is over: told by its notification's id; a digest has none. */
export async function closeShown(isOver: (id: string | undefined) => boolean): Promise<void> {
  const shown = (await (await registered())?.getNotifications?.()) ?? [];
  for (const each of shown) if (isOver((each.data as { readonly id?: string } | null)?.id)) each.close();
}

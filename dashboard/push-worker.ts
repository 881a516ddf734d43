/*
 * Shows push notifications and opens their links. Handles no fetches, so it can never come between a page and the server
 * (docs/decisions/0009-notifications-and-webhooks.md).
 */

/** The payload that the server sends. */
interface PushedMessage {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly link: string;
  readonly id?: string;
}

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends ExtendableEvent {
  readonly data: { json(): PushedMessage } | null;
}
interface NotificationClickEvent extends ExtendableEvent {
  readonly notification: Notification;
}
interface OpenWindow {
  readonly url: string;
  focus(): Promise<OpenWindow>;
  navigate(url: string): Promise<unknown>;
}

/** The worker's global scope; TypeScript's types cover either a worker or a page. */
interface PushWorker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly OpenWindow[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(name: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(name: 'notificationclick', listener: (event: NotificationClickEvent) => void): void;
}

const worker = globalThis as unknown as PushWorker;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('push', (event) => {
  const message = event.data?.json();
  if (message) event.waitUntil(show(message));
});

/** Replaces a notification with the same tag, without another sound. */
function show({ title, body, tag, link, id }: PushedMessage): Promise<void> {
  return worker.registration.showNotification(title, { body, tag, data: { link, id } });
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { link } = event.notification.data as Pick<PushedMessage, 'link'>;
  event.waitUntil(open(link));
});

/** Opens the link in one of the dashboard's windows, or else in a new one. */
async function open(link: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const existing = windows.find(({ url }) => !OTHER_PAGES.test(new URL(url).pathname));
  try {
    if (!existing) throw new Error('No window is open');
    await (await existing.focus()).navigate(link);
  } catch {
    await worker.clients.openWindow(link);
  }
}

/** This site's pages outside the dashboard. */
const OTHER_PAGES = /^\/(?:feedback|demo|docs|about|privacy|terms|preview|outbox)(?:\/|$)/;

/*
 * Shows what is pushed to this browser, and leads to it. It answers no request of a page, so it can never stand between the product
 * and what it serves (docs/decisions/0013-notifications-and-webhooks.md).
 */

/** What the server sends. */
interface PushedMessage {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly link: string;
  readonly id?: string;
}

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushedEvent extends WaitingEvent {
  readonly data: { json(): PushedMessage } | null;
}
interface PressedEvent extends WaitingEvent {
  readonly notification: Notification;
}
interface OpenWindow {
  readonly url: string;
  focus(): Promise<OpenWindow>;
  navigate(url: string): Promise<unknown>;
}

/** The browser's own, of which TypeScript declares either these or a page's. */
interface PushWorker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly OpenWindow[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', listener: (event: WaitingEvent) => void): void;
  addEventListener(name: 'push', listener: (event: PushedEvent) => void): void;
  addEventListener(name: 'notificationclick', listener: (event: PressedEvent) => void): void;
}

const worker = globalThis as unknown as PushWorker;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('push', (event) => {
  const message = event.data?.json();
  if (message) event.waitUntil(show(message));
});

/** In the place of what has the same tag, without another sound. */
function show({ title, body, tag, link, id }: PushedMessage): Promise<void> {
  return worker.registration.showNotification(title, { body, tag, data: { link, id } });
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { link } = event.notification.data as Pick<PushedMessage, 'link'>;
  event.waitUntil(lead(link));
});

/** To a window of the team's that is open, or else in a new one. */
async function lead(link: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find(({ url }) => !NOT_THE_TEAMS.test(new URL(url).pathname));
  try {
    if (!open) throw new Error('No window is open');
    await (await open.focus()).navigate(link);
  } catch {
    await worker.clients.openWindow(link);
  }
}

/** Pages of this site that are for everybody. */
const NOT_THE_TEAMS = /^\/(?:feedback|demo|docs|about|privacy|terms|preview|outbox)(?:\/|$)/;

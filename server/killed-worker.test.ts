import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFailed, vi } from 'vitest';
import { dana, pier } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../test/support/app.ts';
import { PATIENT } from '../test/support/patience.ts';
import { openTestSmtp, type TestSmtp } from '../test/support/smtp.ts';
import { submission } from '../test/support/submission.ts';

/* Kills a worker at random moments and checks that every notification still arrives. */

/** How long receivers take to acknowledge a message (ms); until then its sender doesn't know that it arrived. */
let acknowledgeDelay = 300;
/** Time from saving urgent feedback to its notifications being under way (ms). */
const START_DELAY = 1_500;
const RANDOM_KILLS = 4;
/** Determines when the worker is killed. Set KILL_SEED to repeat a run that failed. */
const SEED = process.env['KILL_SEED'] ?? String(randomInt(2 ** 32));
const SOON = { ...PATIENT, interval: 10 };
const SECRET = 'the same for every process of this test';

/** A mail or a webhook call: the id that its repeats share, and its subject. */
interface ReceivedMessage {
  readonly id: string;
  readonly about: string;
}

let smtp: TestSmtp;
let receiver: http.Server;
let app: TestApp;
let worker: ChildProcess | undefined;
const calls: ReceivedMessage[] = [];

beforeAll(async () => {
  smtp = await openTestSmtp({ linger: () => acknowledgeDelay });
  receiver = http.createServer(async (request, answer) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    calls.push({ id: String(request.headers['webhook-id']), about: `${body.type} ${body.data.feedbackId}` });
    setTimeout(() => answer.end(), acknowledgeDelay);
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  app = await openTestApp({ settings: { ROLES: 'web', IDENTITY_SECRET: SECRET, OUTBOUND_ALLOW_PRIVATE: 'true' } });
  await app.stored('update property set complaints = $1 where id = $2', [[dana.id], pier.id]);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const data = { url, events: ['feedback.created', 'feedback.urgent'] };
  expect((await app.call('webhook', 'save', { payload: { data } }, await app.signIn())).status).toBe(200);
});
afterAll(async () => {
  await kill();
  await app.stop();
  receiver.closeAllConnections();
  receiver.close();
  await smtp.stop();
});

async function startWorker(): Promise<void> {
  const settings = { IDENTITY_SECRET: SECRET, SMTP_URL: smtp.url, OUTBOUND_ALLOW_PRIVATE: 'true' };
  const program = path.resolve(import.meta.dirname, '../test/support/worker.ts');
  worker = spawn(process.execPath, [program, JSON.stringify(app.connection), app.app.platform.config.dataDir, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (worker.stdout) await once(worker.stdout, 'data');
}

async function kill(): Promise<void> {
  if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}

/** Releases the dead worker's jobs and deliveries, as the queue and the courier do after a timeout. */
async function releaseJobs(): Promise<void> {
  await app.stored(`update pgboss.job set state = 'retry', start_after = now() where name = 'mail.send' and state = 'active'`);
  await app.stored(`update webhook_delivery set due = now() where status = 'waiting'`);
}

/** Skips the five-minute pause before a message that was cut off twice is retried. */
const skipPauses = (): Promise<unknown> =>
  app.stored(`update webhook_delivery set due = now() where status = 'waiting' and not is_under_way and due > now()`);

async function submitComplaint(): Promise<string> {
  const { status, body } = await app.call('feedback', 'save', submission({ rating: 1 }));
  expect(status).toBe(200);
  return body.feedback.id;
}

it('loses no alert or webhook call, and repeats them with the same ids', async () => {
  onTestFailed(() => console.info(`To repeat this run, set KILL_SEED=${SEED}`));
  const items: string[] = [];
  const killedAfter: number[] = [];
  const round = async (moment: (id: string) => Promise<unknown>): Promise<void> => {
    await startWorker();
    const [start, id] = [Date.now(), await submitComplaint()];
    items.push(id);
    await moment(id);
    await kill();
    killedAfter.push(Date.now() - start);
    await releaseJobs();
  };
  for (let index = 0; index < RANDOM_KILLS; index += 1)
    await round(() => sleep(((index + randomFraction(index)) / RANDOM_KILLS) * START_DELAY));
  // The worst moment: everything has arrived but isn't acknowledged.
  acknowledgeDelay = 14_000;
  await round((id) => vi.waitFor(() => expect([mails(), calls].map((all) => all.some(isAbout(id)))).toEqual([true, true]), SOON));
  acknowledgeDelay = 0;

  await startWorker();
  await vi.waitFor(async () => {
    await skipPauses();
    expect(await waiting()).toEqual([]);
  }, SOON);
  const messages = items.flatMap((id) => [`feedback.created ${id}`, `feedback.urgent ${id}`]);
  const kills = `killed after ${killedAfter} ms with KILL_SEED=${SEED}`;
  expect(idsOf(mails()), kills).toEqual(onceEach(items));
  expect(idsOf(calls), kills).toEqual(onceEach(messages));
  // Interrupted messages came twice, which shows that the kills had an effect.
  expect(mails().length).toBeGreaterThan(items.length);
  expect(calls.length).toBeGreaterThan(messages.length);
});

/** Returns a number from 0 to 1, the same for the same seed and index. */
const randomFraction = (index: number): number => createHash('sha256').update(`${SEED} ${index}`).digest().readUInt32BE() / 2 ** 32;

const isAbout =
  (id: string) =>
  ({ about }: ReceivedMessage): boolean =>
    about.endsWith(id);

const mails = (): ReceivedMessage[] =>
  smtp.received.map(({ mail }) => ({ id: mail.messageId ?? '', about: /id=(EXPERIENCE_\w+)/.exec(mail.text ?? '')?.[1] ?? '' }));

/** Returns the notifications that aren't sent yet. */
const waiting = (): Promise<object[]> =>
  app.stored(`
    select 'event' as what from event where not relayed
    union all select 'alert' from alert where due <= now()
    union all select 'mail' from delivery where status <> 'sent'
    union all select 'webhook' from webhook_delivery where status <> 'delivered'`);

const onceEach = (about: readonly string[]): Record<string, number> => Object.fromEntries(about.map((each) => [each, 1]));

/** Returns the number of different ids per subject. */
function idsOf(all: readonly ReceivedMessage[]): Record<string, number> {
  const ids = new Map<string, Set<string>>();
  for (const { id, about } of all) ids.set(about, (ids.get(about) ?? new Set()).add(id));
  return Object.fromEntries([...ids].map(([about, all]) => [about, all.size]));
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ACCOUNT_ID, dana, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { submission } from '../../test/support/submission.ts';
import { inAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/* `GET /api/live` over a real socket. */

let app: TestApp;
let address: string;
let admin: string;
let member: string;
/** The server's sockets, by the client's port. */
const accepted = new Map<number, Socket>();
beforeAll(async () => {
  app = await openTestApp({ settings: { PORT: '0' }, beat: 250, also: addOtherAccount });
  [admin, member] = [await app.signIn(dana.data.emailAddress), await app.signIn(sam.data.emailAddress)];
  app.app.http.server.on('connection', (socket: Socket) => accepted.set(socket.remotePort ?? 0, socket));
  address = await app.app.http.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.stop());

interface ReceivedEvent {
  readonly name: string;
  readonly subject?: string;
  readonly accountId?: string;
  readonly data?: unknown;
}

interface Stream {
  readonly status: number;
  readonly received: ReceivedEvent[];
  /** Number of session checks. */
  readonly beats: () => number;
  readonly isOver: () => boolean;
}

const controllers: AbortController[] = [];
afterEach(() => {
  for (const controller of controllers.splice(0)) controller.abort();
});

async function listen(token: string, at = address): Promise<Stream> {
  const controller = new AbortController();
  controllers.push(controller);
  const answer = await fetch(`${at}/api/live`, { headers: { authorization: `Bearer ${token}` }, signal: controller.signal });
  const received: ReceivedEvent[] = [];
  let [isOver, beats] = [false, 0];
  if (answer.ok && answer.body) void read(answer.body, received, () => (beats += 1)).finally(() => (isOver = true));
  return { status: answer.status, received, beats: () => beats, isOver: () => isOver };
}

/** Sends a raw request for a stream, and returns both ends of its socket. */
async function ask(token: string): Promise<{ socket: Socket; ofServer: Socket }> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const ofServer = await vi.waitUntil(() => accepted.get(socket.localPort ?? 0), PATIENT);
  socket.write(`GET /api/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return { socket, ofServer };
}

async function read(body: ReadableStream<Uint8Array>, received: ReceivedEvent[], onBeat: () => void): Promise<void> {
  let text = '';
  try {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block === ': beat') onBeat();
        const [, name] = /^event: (.+)$/m.exec(block) ?? [];
        const [, data = '{}'] = /^data: (.+)$/m.exec(block) ?? [];
        // Notifications depend on earlier events of other tests; bell.test.ts tests them.
        if (name !== undefined && name !== 'notified') received.push({ ...JSON.parse(data), name });
      }
    }
  } catch {
    // The test aborted the request.
  }
}

const soon = (assertion: () => unknown) => vi.waitFor(assertion, PATIENT);
const namesOf = ({ received }: Stream) => received.map(({ name }) => name);

describe('the live stream', () => {
  it('sends submissions to the team, without the visitor’s text', async () => {
    const stream = await listen(member);
    const { body } = await app.call('feedback', 'save', submission({ rating: 1, text: 'CANARY words' }));
    await soon(() => expect(namesOf(stream)).toEqual(['feedback.submitted', 'feedback.urgent']));
    expect(stream.received[0]).toMatchObject({
      subject: body.feedback.id,
      accountId: ACCOUNT_ID,
      data: { propertyId: pier.id, rating: 1 },
    });
    expect(JSON.stringify(stream.received)).not.toContain('CANARY');
  });

  it('sends a teammate’s change at the commit', async () => {
    const stream = await listen(member);
    await app.call('form', 'save', { payload: { id: pier.data.formId, data: { inviteToReview: 'everyone' } } }, admin);
    await soon(() => expect(stream.received).toMatchObject([{ name: 'form.saved', subject: pier.data.formId }]));
  });

  it('sends admins’ events to admins only', async () => {
    const [ofAdmin, ofMember] = [await listen(admin), await listen(member)];
    const scope = { accountId: ACCOUNT_ID, actor: dana.id };
    await inAccount(app.app.platform, scope, async (ours) => {
      await store.record(ours, 'subscription.activated', { subject: ACCOUNT_ID, data: {} });
      await store.record(ours, 'account.renamed', { subject: ACCOUNT_ID, data: { from: 'a', to: 'b' } });
    });
    await soon(() => expect(namesOf(ofAdmin)).toEqual(['subscription.activated', 'account.renamed']));
    await soon(() => expect(namesOf(ofMember)).toEqual(['account.renamed']));
  });

  it('sends nothing of another account', async () => {
    const [stream, theirs] = [await listen(admin), await listen(await app.signIn(otherAccount.email))];
    await inAccount(app.app.platform, { accountId: otherAccount.accountId, actor: otherAccount.userId }, (scope) =>
      store.record(scope, 'account.renamed', { subject: otherAccount.accountId, data: { from: 'a', to: 'b' } }),
    );
    await soon(() => expect(theirs.received).toMatchObject([{ name: 'account.renamed', accountId: otherAccount.accountId }]));
    expect(stream.received).toEqual([]);
  });

  it('sends missed after a lost notification or database connection', async () => {
    const stream = await listen(member);
    // Written by a process that died before it notified others.
    await app.stored(
      `insert into event (account_id, at, name, subject, actor, data, relayed) values ($1, now(), 'feedback.submitted', 'x', 'visitor', '{}', true)`,
      [ACCOUNT_ID],
    );
    await soon(() => expect(namesOf(stream)).toEqual(['missed']));
    await app.stored(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'afterword live'`,
    );
    await soon(() => expect(namesOf(stream)).toEqual(['missed', 'missed']));
    await app.call('feedback', 'save', submission({ rating: 5 }));
    await soon(() => expect(namesOf(stream)).toEqual(['missed', 'missed', 'feedback.submitted']));
  });

  it('is refused without a session, and ends with it', async () => {
    expect((await listen('x.y.z')).status).toBe(401);
    const token = await app.signIn(sam.data.emailAddress);
    const stream = await listen(token);
    expect(stream.status).toBe(200);
    await app.pool('GlobalSignOut', { AccessToken: token });
    await soon(() => expect(stream.isOver()).toBe(true));
  });

  it('ends when the product stops, without delaying it', async () => {
    const stopping = await openTestApp({ settings: { PORT: '0' } });
    const at = await stopping.app.http.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(`${at}/api/live`, { headers: { authorization: `Bearer ${await stopping.signIn()}` } });
    const text = answer.text();
    await stopping.stop();
    expect(await text).toContain('retry: 2000');
  });

  it('ends as soon as its person signs out elsewhere or is removed', async () => {
    const slow = await openTestApp({ beat: 600_000 });
    try {
      const at = await slow.app.http.listen({ host: '127.0.0.1', port: 0 });
      const [token, adminToken] = [await slow.signIn(sam.data.emailAddress), await slow.signIn(dana.data.emailAddress)];
      const [signedOut, unaffected] = [await listen(token, at), await listen(adminToken, at)];
      await slow.pool('GlobalSignOut', { AccessToken: token });
      await soon(() => expect(signedOut.isOver()).toBe(true));
      const removed = await listen(await slow.signIn(sam.data.emailAddress), at);
      expect((await slow.call('user', 'delete', { userId: sam.id }, adminToken)).status).toBe(200);
      await soon(() => expect(removed.isOver()).toBe(true));
      expect(unaffected.isOver()).toBe(false);
      // Only the person concerned is checked: checking everyone at once would take every database connection.
      expect(unaffected.beats()).toBe(0);
    } finally {
      await slow.stop();
    }
  });

  it('does not count clients that leave before it begins', async () => {
    const { platform } = app.app;
    // With every connection in use, new streams wait. They open in turn, because a busy machine takes long to open many at once.
    const released = Promise.withResolvers<void>();
    const busy: Promise<void>[] = [];
    const occupy = (begun: () => void, failed: (error: Error) => void): void => {
      const transaction = platform.database.transaction({}, () => {
        begun();
        return released.promise;
      });
      transaction.catch(failed);
      busy.push(transaction);
    };
    for (let each = 1; each <= 16; each += 1) await new Promise<void>(occupy);
    const sockets = await Promise.all(Array.from({ length: 1_001 }, () => ask(admin)));
    for (const { socket } of sockets) socket.resetAndDestroy();
    await Promise.all(
      sockets.map(({ ofServer }) => new Promise((resolve) => (ofServer.closed ? resolve(undefined) : ofServer.once('close', resolve)))),
    );
    released.resolve();
    await Promise.all(busy);
    await vi.waitFor(async () => expect((await listen(admin)).status).toBe(200), PATIENT);
  });

  it('is refused if a person has too many, without affecting others', async () => {
    const greedy = await app.signIn(otherAccount.email);
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(greedy)));
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(12);
    expect(streams.filter(({ status }) => status === 429)).toHaveLength(8);
    expect((await listen(admin)).status).toBe(200);
  });

  // Before the next test, whose flood takes long to send on a slow machine.
  it('sends events of one batch in one chunk, in order', async () => {
    const { socket } = await ask(admin);
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    await soon(() => expect(text).toContain('retry:'));
    const event = { name: 'account.renamed', accountId: ACCOUNT_ID, subject: ACCOUNT_ID, actor: dana.id, at: 0 } as const;
    app.app.platform.pubsub.publish(
      Array.from({ length: 30 }, (_, id) => ({ ...event, id, data: { from: 'Harbor', to: `Number ${id}` } })),
    );
    await soon(() => expect(text).toContain('Number 29'));
    socket.destroy();
    const chunks = text.split(/\r\n[0-9a-f]+\r\n/).filter((chunk) => chunk.includes('Number'));
    expect(chunks).toHaveLength(1);
    expect([...text.matchAll(/Number (\d+)/g)].map(([, id]) => Number(id))).toEqual(Array.from({ length: 30 }, (_, id) => id));
  });

  it('is closed for a client that does not read', async () => {
    const { socket, ofServer } = await ask(admin);
    await once(socket, 'data');
    socket.pause();
    const name = 'x'.repeat(7_000);
    const long = (id: number) =>
      ({
        id,
        name: 'account.renamed',
        accountId: ACCOUNT_ID,
        subject: ACCOUNT_ID,
        actor: dana.id,
        at: 0,
        data: { from: name, to: '' },
      }) as const;
    await vi.waitFor(
      () => {
        // More than the system buffers for the socket.
        app.app.platform.pubsub.publish(Array.from({ length: 200 }, (_, id) => long(id)));
        expect(ofServer.destroyed).toBe(true);
      },
      { ...PATIENT, interval: 100 },
    );
    socket.destroy();
  });

  it('refuses HEAD, which would never end', async () => {
    expect((await fetch(`${address}/api/live`, { method: 'HEAD' })).status).toBe(404);
  });
});

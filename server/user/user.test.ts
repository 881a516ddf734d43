import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PICTURES_AN_HOUR } from '#contract/user/user.ts';
import { ACCOUNT_ID, dana, noor, pier, sam } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../test/support/app.ts';
import { nestedDrawing } from '../../test/support/hostile-pictures.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { shareOfLonger } from '../../test/support/timing.ts';

let app: TestApp;
let admin: string;
let member: string;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount });
  [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
});
afterAll(() => app.stop());

const newAddress = (): string => `${randomUUID().slice(0, 8)}@newshop.test`;
const signUp = (emailAddress: string, more: object = {}) =>
  app.call('user', 'create', {
    password: SAMPLE_PASSWORD,
    payload: { data: { displayName: 'Ann Lee', emailAddress, companyName: 'New Shop', ...more } },
  });
const invite = (emailAddress: string, token = admin) =>
  app.call('user', 'generate', { payload: { data: { displayName: 'Kim Park', emailAddress, level: 'user' } } }, token);
const codeIn = (mail: string): string => /\b(\d{6})\b/.exec(mail)?.[1] ?? '';
const keyIn = (mail: string): string => /#invite=([\w-]+)/.exec(mail)?.[1] ?? '';

describe('user.create', () => {
  it.each([
    ['a short password', { password: 'short' }, 'password'],
    ['a common password', { password: 'password123' }, 'password'],
  ])('rejects %s and names the field', async (_name, { password }, path) => {
    const { status, body } = await app.call('user', 'create', {
      password,
      payload: { data: { displayName: 'A', emailAddress: newAddress(), companyName: 'B' } },
    });
    expect(status).toBe(400);
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual([path]);
  });

  it.each([
    [{ level: 'admin' }, 'payload.data.level'],
    [{ accountId: ACCOUNT_ID }, 'payload.data.accountId'],
    [{ emailAddress: 'nobody' }, 'payload.data.emailAddress'],
    [{ companyName: 'Salt & Co' }, 'payload.data.companyName'],
  ])('rejects %j', async (more, path) => {
    const { status, body } = await signUp(newAddress(), more);
    expect(status).toBe(400);
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it('leaves most connections to teams, however many people sign up at once', async () => {
    const post = (index: number) => {
      const data = { displayName: 'Ann Lee', emailAddress: newAddress(), companyName: 'New Shop' };
      const payload = { service: 'user', action: 'create', password: SAMPLE_PASSWORD, payload: { data } };
      return app.app.http.inject({ method: 'POST', url: '/api/data', remoteAddress: `10.7.${index}.1`, payload });
    };
    const responses = Promise.all(Array.from({ length: 24 }, (_, index) => post(index)));
    await expect.poll(() => app.app.platform.database.fairQueue.waiting(), { interval: 1 }).toBeGreaterThan(12);
    expect((await responses).map(({ statusCode }) => statusCode)).toEqual(Array(24).fill(200));
  });

  it('creates an account and its admin, who can sign in once the address is confirmed', async () => {
    const email = newAddress();
    const { body } = await signUp(email);
    expect(body).toMatchObject({
      success: true,
      data: { user: { data: { level: 'admin', emailAddress: email } }, account: { data: { subscription: { status: 'inactive' } } } },
    });
    const early = await app.pool('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: email, PASSWORD: SAMPLE_PASSWORD },
    });
    expect(early.body.__type).toBe('UserNotConfirmedException');
    const ConfirmationCode = codeIn(await app.mailTo(email, /\d{6}/));
    expect((await app.pool('ConfirmSignUp', { Username: email, ConfirmationCode })).status).toBe(200);
    const token = await app.signIn(email);
    const { body: read } = await app.call('user', 'get', { userId: body.data.user.id }, token);
    expect(read.user).toEqual(body.data.user);
  });

  it('replaces an unconfirmed sign-up and deletes all its data', async () => {
    const email = newAddress();
    const { user, account } = (await signUp(email, { companyName: 'Old Shop' })).body.data;
    const left = () =>
      app.stored(
        `select 1 from account where id = $1 union all select 2 from "user" where account_id = $1 union all
         select 3 from subscription where account_id = $1 union all select 4 from event where account_id = $1 union all
         select 5 from identity_user where 'USER_' || sub = $2`,
        [account.id, user.id],
      );
    expect(await left()).toHaveLength(5);
    // The event is being relayed.
    const relay = await app.connect();
    await relay.query('begin');
    await relay.query('update event set relayed = true where account_id = $1', [account.id]);
    const again = signUp(email, { companyName: 'Newer Shop' });
    await expect.poll(() => app.stored('select from pg_locks where not granted')).not.toEqual([]);
    await relay.query('commit');
    await relay.end();
    const { body } = await again;
    expect(body.success).toBe(true);
    expect(await left()).toEqual([]);
    const mail = await app.mailTo(email, 'Newer Shop');
    const isConfirmed = async (userId: string) => (await app.call('user', 'confirmed', { userId })).body;
    expect(await isConfirmed(body.data.user.id)).toEqual({ status: 'ok', confirmed: false });
    const Username = body.data.user.id.slice('USER_'.length);
    expect((await app.pool('ConfirmSignUp', { Username, ConfirmationCode: codeIn(mail) })).status).toBe(200);
    expect(await isConfirmed(body.data.user.id)).toEqual({ status: 'ok', confirmed: true });
    expect(await isConfirmed(user.id)).toEqual({ status: 'ok', confirmed: false });
    const token = await app.signIn(email);
    expect((await app.call('user', 'get', { userId: body.data.user.id }, token)).body.user).toEqual(body.data.user);
    expect((await app.call('user', 'get', { userId: dana.id }, admin)).status).toBe(200);
  });

  it('allows twenty calls an hour from one network', async () => {
    const from = (remoteAddress: string) =>
      app.app.http.inject({
        method: 'POST',
        url: '/api/data',
        remoteAddress,
        payload: {
          service: 'user',
          action: 'create',
          password: 'password123',
          payload: { data: { displayName: 'Ann Lee', emailAddress: newAddress(), companyName: 'New Shop' } },
        },
      });
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => from(`2001:db8:5:6::${index.toString(16)}`)));
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(4);
    const counts = () => app.stored('select count from rate_limit where count >= 20');
    const before = await counts();
    expect(before).toHaveLength(1);
    // Further calls are refused without the database.
    expect((await from('2001:db8:5:6::1')).statusCode).toBe(429);
    expect(await counts()).toEqual(before);
    expect((await from('2001:db8:5:7::1')).statusCode).toBe(400);
  });

  it('takes as long with a taken address as with a free one', async () => {
    // A new network address each time, because each is limited.
    const from = (round: number, emailAddress: string) =>
      app.app.http.inject({
        method: 'POST',
        url: '/api/data',
        remoteAddress: `10.9.${round}.1`,
        payload: {
          service: 'user',
          action: 'create',
          password: SAMPLE_PASSWORD,
          payload: { data: { displayName: 'Ann Lee', emailAddress, companyName: 'New Shop' } },
        },
      });
    const share = await shareOfLonger(
      20,
      (round) => from(round, newAddress()),
      (round) => from(round, sam.data.emailAddress),
    );
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.75);
  });

  it('answers a taken address like a free one, changes nothing, and mails its owner', async () => {
    const accounts = () => app.stored('select id from account');
    const before = await accounts();
    const { status, body } = await signUp(dana.data.emailAddress);
    const free = await signUp(newAddress());
    expect([status, Object.keys(body.data), Object.keys(body.data.user.data)]).toEqual([
      free.status,
      Object.keys(free.body.data),
      Object.keys(free.body.data.user.data),
    ]);
    expect(await accounts()).toHaveLength(before.length + 1);
    await app.mailTo(dana.data.emailAddress, /already have an account/i);
    await app.signIn();
  });

  it('creates one account in concurrent calls for one address', async () => {
    const email = newAddress();
    await Promise.all(Array.from({ length: 6 }, () => signUp(email)));
    expect(await app.stored('select id from "user" where email_address = $1', [email])).toHaveLength(1);
  });
});

describe('user.generate', () => {
  it('is for admins only', async () => {
    expect((await invite(newAddress(), member)).body.code).toBe('not-allowed');
  });

  it('creates one person in concurrent calls for one address', async () => {
    const email = newAddress();
    const invited = await Promise.all([invite(email), invite(email)]);
    expect(new Set(invited.map(({ body }) => body.data.user.id)).size).toBe(1);
    expect(await app.stored('select id from "user" where email_address = $1', [email])).toHaveLength(1);
  });

  it('is accepted when those who sign up or accept others leave it a connection', async () => {
    const { fairQueue } = app.app.platform.database;
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const others = Array.from({ length: 4 }, () => fairQueue.run('strangers', () => left));
    const accepted = app.call('user', 'accept', { key: 'k'.repeat(22), password: SAMPLE_PASSWORD });
    await expect.poll(() => fairQueue.waiting()).toBe(1);
    leave();
    expect((await accepted).body.data.code).toBe('invitation-over');
    await Promise.all(others);
  });

  it('mails a link that is accepted once', async () => {
    const email = newAddress();
    const { body } = await invite(email);
    expect(body.data.user.data).toMatchObject({ invited: true, level: 'user' });
    const key = keyIn(await app.mailTo(email, 'Harbor Coffee'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.call('user', 'accept', { key, password: SAMPLE_PASSWORD })));
    // Retries after a lost response succeed, but join only once.
    expect(answers.map((answer) => answer.body.success)).toEqual([true, true, true, true, true]);
    expect(await app.stored("select 1 from event where name = 'user.joined' and subject = $1", [body.data.user.id])).toHaveLength(1);
    expect((await app.call('user', 'accept', { key, password: 'another harbor at night' })).body.data.code).toBe('invitation-over');
    const token = await app.signIn(email);
    const { body: team } = await app.call('user', 'list', { accountId: ACCOUNT_ID }, token);
    expect(team.users.find(({ id }: { id: string }) => id === body.data.user.id).data.invited).toBeUndefined();
    expect(
      (await app.call('user', 'generate', { payload: { data: { displayName: 'X', emailAddress: newAddress(), level: 'admin' } } }, token))
        .status,
    ).toBe(403);
  });

  it('shows the invitation for its key until it is used', async () => {
    const email = newAddress();
    await invite(email);
    const key = keyIn(await app.mailTo(email, 'Harbor Coffee'));
    const readInvitation = (sent = key) => app.call('user', 'invitation', { key: sent });
    expect((await readInvitation('x'.repeat(22))).body).toEqual({ status: 'not found' });
    const invitation = { displayName: 'Kim Park', emailAddress: email, invitedBy: dana.data.displayName, companyName: 'Harbor Coffee' };
    expect((await readInvitation()).body).toEqual({ status: 'ok', invitation });
    await app.call('user', 'accept', { key, password: SAMPLE_PASSWORD });
    expect((await readInvitation()).body).toEqual({ status: 'not found' });
  });

  it('limits how often one address reads and accepts invitations', async () => {
    const statuses = async (sent: object, times: number) => {
      const payload = { service: 'user', key: 'x'.repeat(22), ...sent };
      const ask = () => app.app.http.inject({ method: 'POST', url: '/api/data', payload, remoteAddress: '203.0.113.99' });
      const answers: number[] = [];
      // A few at a time, because too many would wait for each other's count until they time out.
      while (answers.length < times)
        answers.push(...(await Promise.all(Array.from({ length: 5 }, ask))).map(({ statusCode }) => statusCode));
      return answers;
    };
    const reads = await statuses({ action: 'invitation' }, 305);
    expect([reads.slice(0, 300).includes(429), reads.slice(300)]).toEqual([false, [429, 429, 429, 429, 429]]);
    const accepts = await statuses({ action: 'accept', password: SAMPLE_PASSWORD }, 105);
    expect([accepts.slice(0, 100).includes(429), accepts.slice(100)]).toEqual([false, [429, 429, 429, 429, 429]]);
  });

  it('invalidates the first link when the invitation is resent', async () => {
    const email = newAddress();
    const { body } = await invite(email);
    const first = keyIn(await app.mailTo(email, 'Harbor Coffee'));
    expect((await app.call('user', 'resend', { userId: body.data.user.id }, admin)).body.status).toBe('ok');
    expect((await app.call('user', 'accept', { key: first, password: SAMPLE_PASSWORD })).body).toMatchObject({
      success: false,
      data: { code: 'invitation-over' },
    });
  });

  it('mails a link that expires', async () => {
    const email = newAddress();
    await invite(email);
    const key = keyIn(await app.mailTo(email, 'Harbor Coffee'));
    app.advance(8 * 86_400_000);
    expect((await app.call('user', 'accept', { key, password: SAMPLE_PASSWORD })).body.success).toBe(false);
    [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
  });

  it('rejects an address that is already in the team', async () => {
    expect((await invite(noor.data.emailAddress)).body).toMatchObject({ success: false, data: { code: 'address-taken' } });
  });

  it('doesn’t reveal who has another account, and mails them', async () => {
    const answers = [];
    for (const email of [newAddress(), otherAccount.email]) {
      const { status, body } = await invite(email);
      const { user } = body.data;
      answers.push([status, Object.keys(body.data), Object.keys(user.data), user.data.invited]);
      expect((await app.call('user', 'resend', { userId: user.id }, admin)).status).toBe(200);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(await app.mailTo(otherAccount.email, 'Harbor Coffee')).toContain('another team');
  });

  it('invites the same person again for the same address', async () => {
    const email = newAddress();
    const [first, again] = [await invite(email), await invite(email)];
    expect(again.body).toEqual(first.body);
    const { body } = await app.call('user', 'list', { accountId: ACCOUNT_ID }, admin);
    expect(body.users.filter((each: { gs2pk: string }) => each.gs2pk === email)).toHaveLength(1);
  });

  it('mails one address at most three times a day from all accounts, without revealing it', async () => {
    const email = newAddress();
    const theirs = await app.signIn(otherAccount.email);
    const statuses = [];
    for (const token of [admin, theirs, admin, theirs, admin]) statuses.push((await invite(email, token)).status);
    expect(statuses).toEqual(Array(5).fill(200));
    expect(await app.stored('select from delivery where "to" = $1', [email])).toHaveLength(3);
  });

  it('allows an account fifty invitations a day', async () => {
    const theirs = await app.signIn(otherAccount.email);
    const statuses = [];
    for (let sent = 0; sent < 52; sent += 1) statuses.push((await invite(newAddress(), theirs)).status);
    expect(new Set(statuses.slice(0, 40))).toEqual(new Set([200]));
    expect(statuses.at(-1)).toBe(429);
    expect((await invite(newAddress())).status).toBe(200);
  });
});

describe('a person', () => {
  const save = (id: string, data: object, token: string) => app.call('user', 'save', { payload: { id, data } }, token);

  it('can change their own name and picture, but not their level', async () => {
    expect((await save(sam.id, { displayName: 'Sam Leigh' }, member)).body.user.data.displayName).toBe('Sam Leigh');
    expect((await save(sam.id, { level: 'admin' }, member)).status).toBe(403);
    expect((await save(noor.id, { displayName: 'Somebody' }, member)).status).toBe(403);
  });

  it('gets a picture redrawn as a small square without metadata', async () => {
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#3d4cc2' } })
      .withExif({ IFD0: { Copyright: 'CANARY' } })
      .jpeg()
      .toBuffer();
    const { body } = await save(sam.id, { avatar: `data:image/jpeg;base64,${picture.toString('base64')}` }, member);
    const avatar = Buffer.from(body.user.data.avatar.split(',')[1], 'base64');
    expect(await sharp(avatar).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 });
    expect(avatar.toString('latin1')).not.toContain('CANARY');
    expect((await save(sam.id, { avatar: null }, member)).body.user.data.avatar).toBeUndefined();
  });

  it.each([
    ['a drawing under another name', nestedDrawing()],
    ['no picture at all', `data:image/png;base64,${Buffer.from('hello').toString('base64')}`],
    ['a drawing that could run scripts', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['an address', 'https://example.com/a.png'],
  ])('can’t use %s as a picture', async (_name, avatar) => {
    const { status, body } = await save(sam.id, { avatar }, member);
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe('payload.data.avatar');
  });

  it('can send a limited number of pictures an hour, valid or not', async () => {
    const email = noor.data.emailAddress;
    const send = async (token: string) => save(noor.id, { avatar: nestedDrawing() }, token);
    const token = await app.signIn(email);
    for (let sent = 0; sent < PICTURES_AN_HOUR; sent += 1) expect((await send(token)).status).toBe(400);
    const { status, headers } = await send(token);
    expect([status, Number(headers['retry-after']) > 3_500]).toEqual([429, true]);
    expect((await save(noor.id, { displayName: 'Noor Haddad', avatar: null }, token)).status).toBe(200);
    app.advance(3_600_000);
    expect((await send(await app.signIn(email))).status).toBe(400);
    [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
  });
});

describe('sessions', () => {
  it('are listed with the current one, and can be ended by their own person', async () => {
    const [first, second] = [await app.signIn(sam.data.emailAddress), await app.signIn(sam.data.emailAddress)];
    const { body } = await app.call('user', 'sessions', {}, first);
    expect(body.sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    const { body: secondList } = await app.call('user', 'sessions', {}, second);
    const { id } = secondList.sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect((await app.call('user', 'endSession', { sessionId: id }, admin)).status).toBe(404);
    expect((await app.call('user', 'endSession', { sessionId: id }, first)).status).toBe(200);
    const ended = await app.call('user', 'sessions', {}, second);
    // A person who is still in the team gets no message that they aren't.
    expect([ended.status, ended.body.detail]).toEqual([401, undefined]);
    expect((await app.call('user', 'sessions', {}, first)).status).toBe(200);
  });
});

describe('a new level', () => {
  it('applies from the next call, without a sign-out', async () => {
    const token = await app.signIn(noor.data.emailAddress);
    const change = (level: string) => app.call('user', 'save', { payload: { id: noor.id, data: { level } } }, admin);
    const asAdmin = async () => (await app.call('user', 'resend', { userId: sam.id }, token)).status;
    expect(await asAdmin()).toBe(403);
    await change('admin');
    expect(await asAdmin()).toBe(404);
    await change('user');
    expect(await asAdmin()).toBe(403);
    expect((await app.call('user', 'get', { userId: noor.id }, token)).body.user.data.level).toBe('user');
  });
});

describe('the last admin', () => {
  it('can neither be deleted nor become a member, even concurrently', async () => {
    expect((await app.call('user', 'delete', { userId: dana.id }, admin)).status).toBe(409);
    await app.call('user', 'save', { payload: { id: noor.id, data: { level: 'admin' } } }, admin);
    const second = await app.signIn(noor.data.emailAddress);
    const answers = await Promise.all([
      app.call('user', 'save', { payload: { id: noor.id, data: { level: 'user' } } }, admin),
      app.call('user', 'save', { payload: { id: dana.id, data: { level: 'user' } } }, second),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.stored(`select id from "user" where account_id = $1 and level = 'admin'`, [ACCOUNT_ID])).toHaveLength(1);
    await app.stored(`update "user" set level = case when id = $1 then 'admin' else 'user' end where account_id = $2`, [
      dana.id,
      ACCOUNT_ID,
    ]);
    admin = await app.signIn();
  });
});

describe('user.delete', () => {
  it('ends every session at once and removes the person from every list', async () => {
    const email = newAddress();
    const { body } = await invite(email);
    await app.call('user', 'accept', { key: keyIn(await app.mailTo(email, 'Harbor Coffee')), password: SAMPLE_PASSWORD });
    const token = await app.signIn(email);
    await app.stored('update property set complaints = array_append(complaints, $1) where id = $2', [body.data.user.id, pier.id]);
    expect((await app.call('user', 'delete', { userId: body.data.user.id }, admin)).status).toBe(200);
    const refused = await app.call('user', 'list', { accountId: ACCOUNT_ID }, token);
    expect([refused.status, refused.body]).toEqual([
      401,
      expect.objectContaining({ code: 'not-signed-in', detail: 'You’re no longer on this team.' }),
    ]);
    await expect(app.signIn(email)).rejects.toThrow('Incorrect username or password.');
    const { body: place } = await app.call('property', 'get', { propertyId: pier.id }, admin);
    expect(place.property.data.notifications.complaints).not.toContain(body.data.user.id);
  });
});

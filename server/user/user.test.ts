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

describe('signing a business up', () => {
  it.each([
    ['a short password', { password: 'short' }, 'password'],
    ['a common password', { password: 'password123' }, 'password'],
  ])('refuses %s and names the field', async (_name, { password }, path) => {
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
  ])('refuses %j', async (more, path) => {
    const { status, body } = await signUp(newAddress(), more);
    expect(status).toBe(400);
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it('makes account and admin, and lets them in once the address is confirmed', async () => {
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

  it('again takes the place of a sign-up that nobody confirmed, which goes whole', async () => {
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
    const { body } = await signUp(email, { companyName: 'Newer Shop' });
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

  it('is refused beyond twenty an hour from one network, by every process', async () => {
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
    const counted = () => app.stored('select count from rate_limit where count >= 20');
    const before = await counted();
    expect(before).toHaveLength(1);
    // From then on it costs the database nothing.
    expect((await from('2001:db8:5:6::1')).statusCode).toBe(429);
    expect(await counted()).toEqual(before);
    expect((await from('2001:db8:5:7::1')).statusCode).toBe(400);
  });

  it('takes as long with a taken address as with a free one', async () => {
    // The address is another each time, as an address may sign up so often only.
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

  it('answers a taken address as a free one, changes nothing, and tells its owner', async () => {
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

  it('makes one account of many at once for one address', async () => {
    const email = newAddress();
    await Promise.all(Array.from({ length: 6 }, () => signUp(email)));
    expect(await app.stored('select id from "user" where email_address = $1', [email])).toHaveLength(1);
  });
});

describe('inviting', () => {
  it('is for admins', async () => {
    expect((await invite(newAddress(), member)).body.code).toBe('not-allowed');
  });

  it('makes one person of those whom two invite at once', async () => {
    const email = newAddress();
    const invited = await Promise.all([invite(email), invite(email)]);
    expect(new Set(invited.map(({ body }) => body.data.user.id)).size).toBe(1);
    expect(await app.stored('select id from "user" where email_address = $1', [email])).toHaveLength(1);
  });

  it('leads from the mail to a password of one’s own, once', async () => {
    const email = newAddress();
    const { body } = await invite(email);
    expect(body.data.user.data).toMatchObject({ invited: true, level: 'user' });
    const key = keyIn(await app.mailTo(email, 'Harbor Coffee'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.call('user', 'accept', { key, password: SAMPLE_PASSWORD })));
    // Who clicks five times, or whose answer was lost, has joined once.
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

  it('says by the key who invited whom to which team, until it is used', async () => {
    const email = newAddress();
    await invite(email);
    const key = keyIn(await app.mailTo(email, 'Harbor Coffee'));
    const look = (asked = key) => app.call('user', 'invitation', { key: asked });
    expect((await look('x'.repeat(22))).body).toEqual({ status: 'not found' });
    const invitation = { displayName: 'Kim Park', emailAddress: email, invitedBy: dana.data.displayName, companyName: 'Harbor Coffee' };
    expect((await look()).body).toEqual({ status: 'ok', invitation });
    await app.call('user', 'accept', { key, password: SAMPLE_PASSWORD });
    expect((await look()).body).toEqual({ status: 'not found' });
  });

  it('lets one address look and answer so often only', async () => {
    const statuses = async (sent: object, times: number) => {
      const payload = { service: 'user', key: 'x'.repeat(22), ...sent };
      const ask = () => app.app.http.inject({ method: 'POST', url: '/api/data', payload, remoteAddress: '203.0.113.99' });
      const answers: number[] = [];
      // A few side by side: all at once they would wait for each other's count until they are refused as too long.
      while (answers.length < times)
        answers.push(...(await Promise.all(Array.from({ length: 5 }, ask))).map(({ statusCode }) => statusCode));
      return answers;
    };
    const looked = await statuses({ action: 'invitation' }, 305);
    expect([looked.slice(0, 300).includes(429), looked.slice(300)]).toEqual([false, [429, 429, 429, 429, 429]]);
    const answered = await statuses({ action: 'accept', password: SAMPLE_PASSWORD }, 105);
    expect([answered.slice(0, 100).includes(429), answered.slice(100)]).toEqual([false, [429, 429, 429, 429, 429]]);
  });

  it('again makes the first link useless', async () => {
    const email = newAddress();
    const { body } = await invite(email);
    const first = keyIn(await app.mailTo(email, 'Harbor Coffee'));
    expect((await app.call('user', 'resend', { userId: body.data.user.id }, admin)).body.status).toBe('ok');
    expect((await app.call('user', 'accept', { key: first, password: SAMPLE_PASSWORD })).body).toMatchObject({
      success: false,
      data: { code: 'invitation-over' },
    });
  });

  it('ends after its time', async () => {
    const email = newAddress();
    await invite(email);
    const key = keyIn(await app.mailTo(email, 'Harbor Coffee'));
    app.advance(8 * 86_400_000);
    expect((await app.call('user', 'accept', { key, password: SAMPLE_PASSWORD })).body.success).toBe(false);
    [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
  });

  it('of somebody in the team is refused', async () => {
    expect((await invite(noor.data.emailAddress)).body).toMatchObject({ success: false, data: { code: 'address-taken' } });
  });

  it('does not say who has an account elsewhere; they hear of it', async () => {
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

  it('of the same address is the same person, invited again', async () => {
    const email = newAddress();
    const [first, again] = [await invite(email), await invite(email)];
    expect(again.body).toEqual(first.body);
    const { body } = await app.call('user', 'list', { accountId: ACCOUNT_ID }, admin);
    expect(body.users.filter((each: { gs2pk: string }) => each.gs2pk === email)).toHaveLength(1);
  });

  it('reaches one address three times a day at most, from whichever accounts, and shows it in no answer', async () => {
    const email = newAddress();
    const theirs = await app.signIn(otherAccount.email);
    const statuses = [];
    for (const token of [admin, theirs, admin, theirs, admin]) statuses.push((await invite(email, token)).status);
    expect(statuses).toEqual(Array(5).fill(200));
    expect(await app.stored('select from delivery where "to" = $1', [email])).toHaveLength(3);
  });

  it('is refused beyond fifty a day of one account, until the day is over', async () => {
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

  it('changes the own name and picture, and no level', async () => {
    expect((await save(sam.id, { displayName: 'Sam Leigh' }, member)).body.user.data.displayName).toBe('Sam Leigh');
    expect((await save(sam.id, { level: 'admin' }, member)).status).toBe(403);
    expect((await save(noor.id, { displayName: 'Somebody' }, member)).status).toBe(403);
  });

  it('has a picture that was drawn anew: small, square, and nothing hidden in it', async () => {
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#3d4cc2' } })
      .withExif({ IFD0: { Copyright: 'CANARY' } })
      .jpeg()
      .toBuffer();
    const { body } = await save(sam.id, { avatar: `data:image/jpeg;base64,${picture.toString('base64')}` }, member);
    const drawn = Buffer.from(body.user.data.avatar.split(',')[1], 'base64');
    expect(await sharp(drawn).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 });
    expect(drawn.toString('latin1')).not.toContain('CANARY');
    expect((await save(sam.id, { avatar: null }, member)).body.user.data.avatar).toBeUndefined();
  });

  it.each([
    ['a drawing under another name', nestedDrawing()],
    ['no picture at all', `data:image/png;base64,${Buffer.from('hello').toString('base64')}`],
    ['a drawing that could run scripts', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['an address', 'https://example.com/a.png'],
  ])('cannot have %s as a picture', async (_name, avatar) => {
    const { status, body } = await save(sam.id, { avatar }, member);
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe('payload.data.avatar');
  });

  it('sends so many pictures within an hour, whatever they are', async () => {
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
  it('are listed with the one that asks, and end one by one, one’s own only', async () => {
    const [one, other] = [await app.signIn(sam.data.emailAddress), await app.signIn(sam.data.emailAddress)];
    const { body } = await app.call('user', 'sessions', {}, one);
    expect(body.sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    const { body: seen } = await app.call('user', 'sessions', {}, other);
    const { id } = seen.sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect((await app.call('user', 'endSession', { sessionId: id }, admin)).status).toBe(404);
    expect((await app.call('user', 'endSession', { sessionId: id }, one)).status).toBe(200);
    const ended = await app.call('user', 'sessions', {}, other);
    // Whoever is of the team still is not told that they are not.
    expect([ended.status, ended.body.detail]).toEqual([401, undefined]);
    expect((await app.call('user', 'sessions', {}, one)).status).toBe(200);
  });
});

describe('another level', () => {
  it('counts at the next call, and signs nobody out', async () => {
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
  it('can neither go nor become a member, also when two try at once', async () => {
    expect((await app.call('user', 'delete', { userId: dana.id }, admin)).status).toBe(409);
    await app.call('user', 'save', { payload: { id: noor.id, data: { level: 'admin' } } }, admin);
    const other = await app.signIn(noor.data.emailAddress);
    const answers = await Promise.all([
      app.call('user', 'save', { payload: { id: noor.id, data: { level: 'user' } } }, admin),
      app.call('user', 'save', { payload: { id: dana.id, data: { level: 'user' } } }, other),
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

describe('removing', () => {
  it('ends every session at once, and takes the person off every list', async () => {
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

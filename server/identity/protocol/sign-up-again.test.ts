import { randomUUID } from 'node:crypto';
import { confirmSignUp, resendSignUpCode, signIn, signOut } from 'aws-amplify/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import { prepareAmplify, useBrowser } from '../../../test/support/cognito/amplify.ts';
import { makeUntil, openTestPool, PASSWORD, type TestPool } from '../../../test/support/identity.ts';

/* Two sign-ups with one address, by the client that pages use. Either may be a stranger's. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OTHER_PASSWORD = 'a battery of correct horses';
const NEWER_CODE = { name: 'ExpiredCodeException', message: 'A newer code was sent. Please use the one from the newest email.' };
const WRONG = { name: 'CodeMismatchException' };

let pool: TestPool;
beforeAll(async () => {
  prepareAmplify();
  pool = await openTestPool();
});
beforeEach(async () => {
  pool.advance(2 * HOUR);
  await useBrowser(pool, new Map());
});
afterAll(() => pool.stop());

/** Signs up as one page, and returns its id with the code and link key from the mail. */
async function signUp(email: string, password = PASSWORD) {
  const result = await pool.database.transaction({}, (db) =>
    pool.identity.signUp(db, { sub: randomUUID(), email, name: 'Ann Lee', company: 'New Shop', password, confirmed: false }),
  );
  return { ...result, ...(await newest(email)) };
}

/** Signs up twice with one new address and these passwords. The two codes differ. */
const signUpTwice = (firstPassword: string, secondPassword: string) =>
  makeUntil(
    ({ first, second }) => first.code !== second.code,
    async () => {
      const email = newAddress();
      return { email, first: await signUp(email, firstPassword), second: await signUp(email, secondPassword) };
    },
  );

async function newest(email: string): Promise<{ code: string; key: string }> {
  const { code = '', link = '' } = (await pool.mailsTo(email)).at(-1)?.props ?? {};
  return { code, key: /#verify=([\w-]+)&/.exec(link)?.[1] ?? '' };
}

const newAddress = () => `${randomUUID()}@pool.test`;
const confirm = (username: string, confirmationCode: string) => confirmSignUp({ username, confirmationCode });
const otherCode = (...codes: string[]) => ['111111', '222222', '333333'].find((code) => !codes.includes(code)) ?? '';
const enter = async (username: string, password = PASSWORD) => {
  const { isSignedIn } = await signIn({ username, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } });
  if (isSignedIn) await signOut();
  return isSignedIn;
};

describe('a second sign-up', () => {
  it('gets its own code, and the previous code is rejected as older on both pages', async () => {
    const { email, first, second } = await signUpTwice(OTHER_PASSWORD, PASSWORD);
    expect(second).toMatchObject({ taken: false, replaced: first.sub });
    await expect(confirm(second.sub, first.code)).rejects.toMatchObject(NEWER_CODE);
    await expect(confirm(first.sub, first.code)).rejects.toMatchObject(NEWER_CODE);
    await expect(confirm(first.sub, first.key)).rejects.toMatchObject(NEWER_CODE);
    await expect(confirm(second.sub, otherCode(first.code, second.code))).rejects.toMatchObject(WRONG);
    await confirm(second.sub, second.code);
    expect(await enter(email)).toBe(true);
    await expect(enter(email, OTHER_PASSWORD)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
  });

  it.each(['before', 'after'])('activates no password of a stranger who signed up %s', async (when) => {
    const { email, first, second } = await (when === 'before'
      ? signUpTwice(OTHER_PASSWORD, PASSWORD)
      : signUpTwice(PASSWORD, OTHER_PASSWORD));
    // Each page confirms by its own id, so the other page's code and link are rejected.
    for (const [page, mail] of [
      [first, second],
      [second, first],
    ] as const) {
      await expect(confirm(page.sub, mail.key)).rejects.toMatchObject({ name: /CodeMismatch|ExpiredCode/ });
      await expect(confirm(page.sub, mail.code)).rejects.toMatchObject({ name: /CodeMismatch|ExpiredCode/ });
    }
    await expect(enter(email, when === 'before' ? OTHER_PASSWORD : PASSWORD)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    const status = await pool.stored('select status from identity_user where email = $1', [email]);
    expect(status).toEqual([{ status: 'UNCONFIRMED' }]);
  });

  it('gets a new code by its id', async () => {
    const email = newAddress();
    const { sub } = await signUp(email);
    await expect(resendSignUpCode({ username: sub })).rejects.toMatchObject({ name: 'LimitExceededException' });
    pool.advance(MINUTE);
    await resendSignUpCode({ username: sub });
    await confirm(sub, (await newest(email)).code);
    expect(await enter(email)).toBe(true);
  });
});

describe('the link in the mail', () => {
  it('confirms once, in time, even after too many guesses at the code', async () => {
    const [guessed, late] = [await signUp(newAddress()), await signUp(newAddress())];
    for (let guess = 0; guess < 6; guess += 1) await confirm(guessed.sub, otherCode(guessed.code)).catch(() => undefined);
    await expect(confirm(guessed.sub, guessed.code)).rejects.toMatchObject({ name: 'ExpiredCodeException' });
    await confirm(guessed.sub, guessed.key);
    await expect(confirm(guessed.sub, guessed.key)).rejects.toMatchObject({
      message: 'User cannot be confirmed. Current status is CONFIRMED',
    });
    await expect(confirm(late.sub, guessed.key)).rejects.toMatchObject(WRONG);
    pool.advance(24 * HOUR + 1);
    await expect(confirm(late.sub, late.key)).rejects.toMatchObject({ name: 'ExpiredCodeException' });
  });

  it('is replaced by the next one', async () => {
    const email = newAddress();
    const { sub, key } = await signUp(email);
    pool.advance(MINUTE);
    await resendSignUpCode({ username: sub });
    await expect(confirm(sub, key)).rejects.toMatchObject(WRONG);
  });
});

describe('isConfirmed', () => {
  it('is false until the address is confirmed, and for an unknown id', async () => {
    const email = newAddress();
    const { sub, key } = await signUp(email);
    const look = (id: string) => pool.database.transaction({}, (db) => pool.identity.isConfirmed(db, id));
    expect(await look(sub)).toBe(false);
    await confirm(sub, key);
    expect([await look(sub), await look(randomUUID())]).toEqual([true, false]);
  });

  it('a taken address gets the same answers as a free one', async () => {
    const { email: taken } = await pool.add();
    const pages = [await signUp(newAddress()), await signUp(taken)];
    expect(pages.map(({ taken }) => taken)).toEqual([false, true]);
    const outcomes = async (act: (sub: string) => Promise<unknown>) =>
      Promise.all(
        pages.map(({ sub }) =>
          act(sub).then(
            () => 'done',
            (error: Error) => `${error.name}: ${error.message}`,
          ),
        ),
      );
    const wrong = otherCode(pages[0]?.code ?? '');
    for (let round = 0; round < 7; round += 1) {
      const [free, other] = await outcomes((sub) => confirm(sub, wrong));
      expect(other).toBe(free);
    }
    for (const wait of [0, MINUTE, 0]) {
      pool.advance(wait);
      const [free, other] = await outcomes((username) => resendSignUpCode({ username }));
      expect(other).toBe(free);
    }
  });
});

describe('an address of a deleted account', () => {
  const set = (deleted: string) => pool.stored(`update account set deleted = ${deleted} where id = $1`, [ACCOUNT_ID]);

  it('signs up again; its owner is replaced once the new sign-up is confirmed', async () => {
    const { sub: before, email } = await pool.add();
    await set('now()');
    const { taken, sub, key } = await signUp(email, OTHER_PASSWORD);
    expect(taken).toBe(false);
    expect(await enter(email)).toBe(true);
    await confirm(sub, key);
    expect(await enter(email, OTHER_PASSWORD)).toBe(true);
    await expect(enter(email)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    expect(await pool.stored('select 1 from "user" where id = $1', [`USER_${before}`])).toEqual([]);
    await set('null');
  });

  it('stays its owner’s if the account is restored first', async () => {
    const { email } = await pool.add();
    await set('now()');
    const { sub, code } = await signUp(email, OTHER_PASSWORD);
    await set('null');
    await expect(confirm(sub, code)).rejects.toMatchObject({ name: 'AliasExistsException' });
    expect(await enter(email)).toBe(true);
    await expect(enter(email, OTHER_PASSWORD)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
  });
});

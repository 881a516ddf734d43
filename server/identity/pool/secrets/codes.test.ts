import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, makeUntil, openTestPool, PASSWORD, type PoolAnswer, type TestPool } from '../../../../test/support/identity.ts';
import { shareOfLonger } from '../../../../test/support/timing.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { secretFrom } from '../../../platform/secret.ts';
import { openCodes } from './codes.ts';
import { sealWith } from './seal.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OTHER_PASSWORD = 'a battery of correct horses';

let pool: TestPool;
beforeAll(async () => {
  pool = await openTestPool();
});
// Resets the hourly limits.
beforeEach(() => pool.advance(2 * HOUR));
afterAll(() => pool.stop());

const WRONG = ['CodeMismatchException', 'Invalid verification code provided, please try again.'];
const EXPIRED = ['ExpiredCodeException', 'Invalid code provided, please request a code again.'];
const LIMITED = ['LimitExceededException', 'Attempt limit exceeded, please try after some time.'];
const OK = [200];

const call = (action: string, body: object, options?: CallOptions) =>
  pool.call(action, { ClientId: pool.identity.config.userPoolClientId, ...body }, options);
const outcome = ({ status, body }: PoolAnswer) => (status === 200 ? [200] : [body.__type, body.message]);
const otherCode = (code: string) => (code === '123456' ? '654321' : '123456');
const addUnconfirmed = () => pool.add(undefined, { confirmed: false });

/** One of the two codes that strangers can request, with the calls that request and redeem it. */
interface CodeKind {
  readonly name: string;
  readonly mail: string;
  readonly life: number;
  /** Adds a person who can get one. */
  readonly add: () => Promise<{ sub: string; email: string }>;
  readonly ask: (email: string, options?: CallOptions) => Promise<PoolAnswer>;
  readonly give: (email: string, code: string, options?: CallOptions) => Promise<PoolAnswer>;
}
const KINDS: readonly CodeKind[] = [
  {
    name: 'a sign-up code',
    mail: 'identity.sign-up-code',
    life: DAY,
    add: addUnconfirmed,
    ask: (Username, options) => call('ResendConfirmationCode', { Username }, options),
    give: (Username, ConfirmationCode, options) => call('ConfirmSignUp', { Username, ConfirmationCode }, options),
  },
  {
    name: 'a reset code',
    mail: 'identity.reset-code',
    life: 10 * MINUTE,
    add: () => pool.add(),
    ask: (Username, options) => call('ForgotPassword', { Username }, options),
    give: (Username, ConfirmationCode, options) =>
      call('ConfirmForgotPassword', { Username, ConfirmationCode, Password: OTHER_PASSWORD }, options),
  },
];

describe.each(KINDS)('$name', ({ mail, life, add, ask, give }) => {
  async function requestCode(): Promise<{ sub: string; email: string; code: string }> {
    const person = await add();
    pool.advance(MINUTE);
    expect(outcome(await ask(person.email))).toEqual(OK);
    return { ...person, code: await pool.codeFor(person.email) };
  }

  it('has six digits and is stored as a keyed hash', async () => {
    const { email, sub, code } = await requestCode();
    expect(code).toMatch(/^\d{6}$/);
    const rows = JSON.stringify(
      await pool.stored('select encode(mac, $2) as mac, encode(key, $2) as key, address, tries from identity_code where sub = $1', [
        sub,
        'escape',
      ]),
    );
    expect(rows).not.toContain(code);
    expect(rows).not.toContain(email);
  });

  it('works once', async () => {
    const { email, code } = await requestCode();
    expect(outcome(await give(email, otherCode(code)))).toEqual(WRONG);
    expect(outcome(await give(email.toUpperCase(), code))).toEqual(OK);
    expect((await give(email, code)).status).toBe(400);
    expect(outcome(await give(email, otherCode(code)))).toEqual(WRONG);
  });

  it('expires after its life', async () => {
    const late = await requestCode();
    pool.advance(life + 1);
    expect(outcome(await give(late.email, late.code))).toEqual(EXPIRED);
    const early = await requestCode();
    pool.advance(life - MINUTE);
    expect(outcome(await give(early.email, early.code))).toEqual(OK);
  });

  it('stops working after five wrong tries', async () => {
    const { email, code } = await requestCode();
    for (let attempt = 0; attempt < 5; attempt += 1) expect(outcome(await give(email, otherCode(code)))).toEqual(WRONG);
    expect(outcome(await give(email, code))).toEqual(EXPIRED);
    pool.advance(MINUTE);
    expect(outcome(await ask(email))).toEqual(OK);
    expect(outcome(await give(email, await pool.codeFor(email)))).toEqual(OK);
  });

  it('stops working when a new one is sent', async () => {
    const { email, code } = await requestCode();
    const askAgain = async () => {
      pool.advance(MINUTE);
      expect(outcome(await ask(email))).toEqual(OK);
      return pool.codeFor(email);
    };
    const next = await makeUntil((newer) => newer !== code, askAgain);
    expect(outcome(await give(email, code))).toEqual(WRONG);
    expect(outcome(await give(email, next))).toEqual(OK);
  });

  it('allows five of a hundred concurrent guesses from any networks', async () => {
    const { email, code } = await requestCode();
    const guesses = Array.from({ length: 100 }, (_, index) => give(email, otherCode(code), { from: `10.${index}.0.1` }));
    const outcomes = (await Promise.all(guesses)).map(outcome);
    const wrong = outcomes.filter(([name]) => name === WRONG[0]);
    expect(wrong).toHaveLength(5);
    expect(
      outcomes.every(([name]) =>
        [WRONG[0], EXPIRED[0], LIMITED[0], 'TooManyRequestsException', 'InternalErrorException'].includes(String(name)),
      ),
    ).toBe(true);
    pool.advance(HOUR);
    expect(outcome(await give(email, code))).toEqual(EXPIRED);
  });

  it('takes effect once when redeemed twenty times at once', async () => {
    const { email, sub, code } = await requestCode();
    const answers = await Promise.all(Array.from({ length: 12 }, () => give(email, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [user] = await pool.stored<{ credential: number }>('select credential from identity_user where sub = $1', [sub]);
    expect(user?.credential).toBeLessThanOrEqual(2);
  });

  it('is mailed once for a retried call', async () => {
    const { email } = await add();
    pool.advance(MINUTE);
    const before = (await pool.mailsTo(email)).length;
    const invocation = randomUUID();
    const otherProcess = await pool.openAnotherProcess();
    try {
      const first = await ask(email, { invocation });
      expect(outcome(first)).toEqual(OK);
      expect((await ask(email, { invocation })).text).toBe(first.text);
      const { userPoolClientId: ClientId } = pool.identity.config;
      const action = mail === 'identity.reset-code' ? 'ForgotPassword' : 'ResendConfirmationCode';
      expect((await otherProcess.call(action, { ClientId, Username: email }, { invocation })).text).toBe(first.text);
    } finally {
      await otherProcess.stop();
    }
    expect(await pool.mailsTo(email)).toHaveLength(before + 1);
    const code = await pool.codeFor(email);
    const secondInvocation = randomUUID();
    expect(outcome(await give(email, code, { invocation: secondInvocation }))).toEqual(OK);
    expect(outcome(await give(email, code, { invocation: secondInvocation }))).toEqual(OK);
    const third = await pool.openAnotherProcess();
    try {
      const { userPoolClientId: ClientId } = pool.identity.config;
      const [action, more] =
        mail === 'identity.reset-code' ? ['ConfirmForgotPassword', { Password: OTHER_PASSWORD }] : ['ConfirmSignUp', {}];
      const body = { ClientId, Username: email, ConfirmationCode: code, ...more };
      expect(outcome(await third.call(String(action), body, { invocation: secondInvocation }))).toEqual(OK);
    } finally {
      await third.stop();
    }
    expect((await pool.mailsTo(email)).filter(({ name }) => name === 'identity.password-changed').length).toBeLessThanOrEqual(1);
  });

  it('is mailed five times an hour, 30 seconds apart', async () => {
    const { email } = await add();
    pool.advance(MINUTE);
    expect(outcome(await ask(email))).toEqual(OK);
    expect(outcome(await ask(email))).toEqual(LIMITED);
    for (let count = 2; count <= 5; count += 1) {
      pool.advance(31_000);
      await ask(email);
    }
    pool.advance(31_000);
    expect(outcome(await ask(email))).toEqual(LIMITED);
    pool.advance(HOUR);
    expect(outcome(await ask(email))).toEqual(OK);
  });

  it('can be requested sixty times an hour from one address', async () => {
    const from = `192.0.2.${KINDS.findIndex((kind) => kind.mail === mail) + 10}`;
    const answers = [];
    for (let index = 0; index < 61; index += 1) answers.push(outcome(await ask(`unusedAddress${index}@pool.test`, { from })));
    expect(answers.slice(0, 60)).toEqual(Array(60).fill(OK));
    expect(answers[60]).toEqual(LIMITED);
  });

  it('stops working after a password change', async () => {
    const { email, sub, code } = await requestCode();
    await pool.stored('update identity_user set credential = credential + 1 where sub = $1', [sub]);
    expect(outcome(await give(email, code))).toEqual(EXPIRED);
  });

  it('is not mailed to a disabled person', async () => {
    const { email, sub } = await add();
    const before = await pool.mailsTo(email);
    await pool.stored('update identity_user set enabled = false where sub = $1', [sub]);
    pool.advance(MINUTE);
    expect(outcome(await ask(email))).toEqual(OK);
    expect(await pool.mailsTo(email)).toEqual(before);
  });
});

describe('a code of one purpose', () => {
  it('is wrong for every other purpose', async () => {
    const { email } = await addUnconfirmed();
    const signUp = await pool.codeFor(email);
    const askForReset = async () => {
      pool.advance(MINUTE);
      expect(outcome(await call('ForgotPassword', { Username: email }))).toEqual(OK);
      return pool.codeFor(email);
    };
    const reset = await makeUntil((code) => code !== signUp, askForReset);
    expect(outcome(await call('ConfirmForgotPassword', { Username: email, ConfirmationCode: signUp, Password: OTHER_PASSWORD }))).toEqual(
      WRONG,
    );
    expect(outcome(await call('ConfirmSignUp', { Username: email, ConfirmationCode: reset }))).toEqual(WRONG);
    const { body } = await pool.signIn((await pool.add()).email);
    const { AccessToken } = body.AuthenticationResult;
    expect(outcome(await pool.call('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code: signUp }))).toEqual(WRONG);
  });

  it('is wrong for every other person', async () => {
    const addWithCode = async () => {
      const { email } = await addUnconfirmed();
      return { email, code: await pool.codeFor(email) };
    };
    const first = await addWithCode();
    const second = await makeUntil(({ code }) => code !== first.code, addWithCode);
    expect(outcome(await call('ConfirmSignUp', { Username: second.email, ConfirmationCode: first.code }))).toEqual(WRONG);
  });
});

describe('a code without a person', () => {
  it('is wrong even if it is guessed', async () => {
    const codes = openCodes({ seal: sealWith(secretFrom('a secret of thirty-two characters')), now: pool.now });
    const inTransaction = <T>(work: (db: Transaction) => Promise<T>): Promise<T> => pool.database.transaction({}, work);
    const request = { purpose: 'reset', name: 'nobody-of-all@pool.test' } as const;
    const code = await inTransaction((db) => codes.make(db, request, undefined));
    expect(await inTransaction((db) => codes.redeem(db, { ...request, code }))).toBe('wrong');
  });
});

describe('a reset', () => {
  it('confirms an unconfirmed address, so that a stranger’s sign-up can’t block it', async () => {
    const { email } = await addUnconfirmed();
    await call('ForgotPassword', { Username: email });
    const code = await pool.codeFor(email);
    expect(outcome(await call('ConfirmForgotPassword', { Username: email, ConfirmationCode: code, Password: OTHER_PASSWORD }))).toEqual(OK);
    expect((await pool.signIn(email, { password: PASSWORD })).status).toBe(400);
    expect((await pool.signIn(email, { password: OTHER_PASSWORD })).status).toBe(200);
  });

  it('rejects a weak password without using up the code', async () => {
    const { email } = await pool.add();
    await call('ForgotPassword', { Username: email });
    const ConfirmationCode = await pool.codeFor(email);
    for (const Password of ['seven77', 'x'.repeat(129), 'Password2026!', email]) {
      const answer = await call('ConfirmForgotPassword', { Username: email, ConfirmationCode, Password });
      expect(answer.body).toMatchObject({
        __type: 'InvalidPasswordException',
        message: expect.stringMatching(/^Password did not conform with policy: /),
      });
    }
    expect(outcome(await call('ConfirmForgotPassword', { Username: email, ConfirmationCode, Password: OTHER_PASSWORD }))).toEqual(OK);
  });

  it('by an address that is no longer the person’s is rejected', async () => {
    const { email, sub } = await pool.add();
    await call('ForgotPassword', { Username: email });
    const code = await pool.codeFor(email);
    await pool.stored('update identity_user set email = $2 where sub = $1', [sub, `moved-${email}`]);
    expect(outcome(await call('ConfirmForgotPassword', { Username: email, ConfirmationCode: code, Password: OTHER_PASSWORD }))).toEqual(
      EXPIRED,
    );
  });
});

describe('an unknown address', () => {
  const visible = (answer: PoolAnswer) => {
    const { 'x-amzn-requestid': _id, date: _date, ...headers } = answer.headers;
    return { status: answer.status, headers, text: answer.text };
  };
  const unusedAddress = () => `${randomUUID()}@pool.test`;

  it.each([
    ['is unknown', async () => unusedAddress()],
    ['is confirmed', async () => (await pool.add(unusedAddress())).email],
    [
      'has a code that expired',
      async () => {
        const { email } = await pool.add(unusedAddress(), { confirmed: false });
        pool.advance(DAY + 1);
        return email;
      },
    ],
    [
      'is disabled',
      async () => {
        const { email, sub } = await pool.add(unusedAddress(), { confirmed: false });
        await pool.stored('update identity_user set enabled = false where sub = $1', [sub]);
        return email;
      },
    ],
  ])('gets the same responses as an unconfirmed one from all four actions, if it %s', async (_name, addressOf) => {
    const unknown = await addressOf();
    const { email: unconfirmed } = await pool.add(unusedAddress(), { confirmed: false });
    pool.advance(MINUTE);
    const code = otherCode(await pool.codeFor(unconfirmed));
    for (const { ask, give } of KINDS) {
      for (let round = 0; round < 7; round += 1) {
        const [first, second] = [
          await give(unconfirmed, code, { from: '203.0.113.1' }),
          await give(unknown, code, { from: '203.0.114.1' }),
        ];
        expect(visible(second)).toEqual(visible(first));
        expect(outcome(first)).toEqual(round < 5 ? WRONG : EXPIRED);
      }
      for (let round = 0; round < 3; round += 1) {
        // Only the first letter, which the caller typed, may differ.
        const [first, second] = [await ask(unconfirmed, { from: '203.0.113.1' }), await ask(unknown, { from: '203.0.114.1' })];
        expect(visible(second).text.replace(/"\w\*\*\*@/, '"*@')).toEqual(visible(first).text.replace(/"\w\*\*\*@/, '"*@'));
        expect(second.headers['content-length']).toBe(first.headers['content-length']);
        expect(second.status).toBe(first.status);
      }
      for (let round = 0; round < 9; round += 1) {
        const [first, second] = [
          await give(unconfirmed, otherCode(await pool.codeFor(unconfirmed)), { from: '203.0.113.1' }),
          await give(unknown, code, { from: '203.0.114.1' }),
        ];
        expect(visible(second)).toEqual(visible(first));
      }
    }
    expect((await pool.mailsTo(unknown)).filter(({ props }) => props['code'] === code)).toEqual([]);
  });

  it('takes as long as a known one', async () => {
    const ask = (email: string, index: number) => call('ForgotPassword', { Username: email }, { from: `10.77.${index}.1` });
    // A few at a time, because each uses a connection while its password is hashed.
    const people: Awaited<ReturnType<TestPool['add']>>[] = [];
    while (people.length < 50) people.push(...(await Promise.all(Array.from({ length: 5 }, () => pool.add()))));
    for (let index = 0; index < 10; index += 1) await ask(unusedAddress(), 200 + index);
    // Without the extra work for unknown addresses, the share is below 0.1.
    const share = await shareOfLonger(
      people.length,
      (round) => ask(people[round]?.email ?? '', round),
      (round) => ask(unusedAddress(), round),
    );
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.8);
  });
});

describe('the link of a reset', () => {
  const give = (Username: string, ConfirmationCode: string, options?: CallOptions) =>
    call('ConfirmForgotPassword', { Username, ConfirmationCode, Password: OTHER_PASSWORD }, options);
  const newest = async (email: string) => (await pool.mailsTo(email)).filter(({ name }) => name === 'identity.reset-code').at(-1);
  const keyOf = async (email: string): Promise<string> =>
    /#reset=([\w-]{22})&/.exec(String((await newest(email))?.props['link']))?.[1] ?? '';

  it('works once before it expires, whatever strangers tried', async () => {
    const { email } = await pool.add();
    await call('ForgotPassword', { Username: email });
    for (let index = 0; index < 20; index += 1) await give(email, '000000', { from: `10.80.${index}.1` });
    expect(outcome(await give(email, await pool.codeFor(email)))).toEqual(EXPIRED);
    expect(outcome(await give(email, 'x'.repeat(22)))).toEqual(WRONG);
    const key = await keyOf(email);
    expect(outcome(await give(email, key))).toEqual(OK);
    expect(outcome(await give(email, key))).not.toEqual(OK);
  });

  it('stops working when it expires and with the next mail', async () => {
    const { email } = await pool.add();
    await call('ForgotPassword', { Username: email });
    const first = await keyOf(email);
    pool.advance(MINUTE);
    await call('ForgotPassword', { Username: email });
    expect(outcome(await give(email, first))).toEqual(WRONG);
    const second = await keyOf(email);
    pool.advance(11 * MINUTE);
    expect(outcome(await give(email, second))).toEqual(EXPIRED);
  });

  it('is mailed without a code after many codes, so that guesses can’t add up', async () => {
    const { email } = await pool.add();
    for (let index = 0; index < 21; index += 1) {
      pool.advance(HOUR);
      await call('ForgotPassword', { Username: email });
    }
    expect((await newest(email))?.props).not.toHaveProperty('code');
    expect(outcome(await give(email, await keyOf(email)))).toEqual(OK);
    pool.advance(HOUR);
    await call('ForgotPassword', { Username: email });
    expect((await newest(email))?.props['code']).toMatch(/^\d{6}$/);
  });

  it('can be requested by its owner while strangers request it, too', async () => {
    const { email } = await pool.add();
    for (let index = 0; index < 6; index += 1) {
      pool.advance(31_000);
      await call('ForgotPassword', { Username: email }, { from: '10.81.1.1' });
    }
    pool.advance(31_000);
    expect(outcome(await call('ForgotPassword', { Username: email }, { from: '10.81.1.1' }))).toEqual(LIMITED);
    expect(outcome(await call('ForgotPassword', { Username: email }, { from: '10.81.2.1' }))).toEqual(OK);
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY } from '#contract/core/time.ts';
import { dana, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { exampleOf, operations, subjectsOf } from '../../../test/support/examples.ts';
import { signInAsOperator } from '../../../test/support/operator.ts';

/*
 * Calls operations with valid input in which a part is replaced. `FUZZ=200000` sets the number of calls; a failure prints the seed
 * that repeats it.
 */

const CALLS = Number(process.env['FUZZ'] ?? 3_000);
/** Operations that delete what the others need, or take seconds of CPU time. */
const LEFT_OUT = new Set(['account.delete', 'account.masterDelete', 'user.create', 'user.accept']);

let app: TestApp;
let tokens: Record<'visitor' | 'member' | 'admin' | 'operator', string | undefined>;
beforeAll(async () => {
  app = await openTestApp({ settings: { OPERATOR_EMAILS: dana.data.emailAddress, LOG_LEVEL: 'error' } });
  const operator = await signInAsOperator(app);
  tokens = { visitor: undefined, member: await app.signIn(sam.data.emailAddress), admin: operator, operator };
});
afterAll(() => app.stop());

/** Values that once caused failures, and one of every other kind. */
const HARMFUL = fc.constantFrom<unknown>(
  ...[
    '',
    '\0',
    '\ud800',
    '%00',
    "'; drop table x; --",
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    '1e400',
    'x'.repeat(5_000),
  ],
  ...['AET', '+0530', '+05:30', 'SystemV/AST4', 'Etc/Unknown', 'EST5EDT', 'europe/lisbon', 'posixrules', 'Factory', 'US/Pacific-New'],
  ...['999999999999999', '99999999999999', '0.x', '.', '9999999999999999999.ACCOUNT_a', '-1', '1.ACCOUNT_a', '253402300800000'],
  ...[0, -1, 1.5, 2 ** 53, 8.64e15, 8.64e15 + 1, 253_402_300_799_999, 1e308, true, null, [], {}, [[]], { id: '\0' }],
);
const anything = fc.oneof(HARMFUL, fc.string({ unit: 'binary', maxLength: 40 }), fc.jsonValue({ maxDepth: 2 }), fc.integer());

/** Returns `value` with one part replaced; `place` picks the part. */
function replaced(value: unknown, place: number, by: unknown): unknown {
  if (typeof value !== 'object' || value === null) return by;
  const names = Object.keys(value);
  const name = names[place % (names.length + 1)];
  if (name === undefined) return Array.isArray(value) ? [...value, by] : { ...value, more: by };
  const inside = (value as Record<string, unknown>)[name];
  const next = place % 3 === 0 ? by : replaced(inside, Math.floor(place / (names.length + 1)), by);
  return Array.isArray(value) ? value.map((each, index) => (String(index) === name ? next : each)) : { ...value, [name]: next };
}

const fuzzed = operations.filter(({ name }) => !LEFT_OUT.has(name));

it(`answers none of ${CALLS} calls with altered input with a 500`, async () => {
  const call = fc.tuple(fc.constantFrom(...fuzzed), fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 2 }));
  await fc.assert(
    fc.asyncProperty(call, async ([{ name, service, action, access }, changes]) => {
      const sent = changes.reduce<unknown>((value, [place, by]) => replaced(value, place, by), exampleOf(name, subjectsOf()));
      const body = typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
      const { status } = await app.call(service, action, body, tokens[access]);
      expect(status, `${name} ${JSON.stringify(body)}`).toBeLessThan(500);
    }),
    { numRuns: CALLS },
  );
}, 3_600_000);

it('answers an invalid cursor with an empty list or a refusal', async () => {
  for (const [service, action] of [
    ['account', 'list'],
    ['user', 'masterList'],
    ['account', 'auditLog'],
  ] as const) {
    for (const cursor of ['999999999999999.x', '9'.repeat(15), '\u0000', 'x y', ' ', '1', '.', 'a'.repeat(200)]) {
      const { status } = await app.call(service, action, { search: '', limit: 5, cursor }, tokens.operator);
      expect([200, 400, 404], `${service}.${action} ${JSON.stringify(cursor)}`).toContain(status);
    }
  }
});

it('refuses a time zone that is not in the tz database', async () => {
  const count = (zone: string) =>
    app.call('feedback', 'summary', { accountId: dana.data.accountId, from: Date.now() - 7 * DAY, to: Date.now(), zone }, tokens.admin);
  for (const zone of ['UTC', 'Europe/Lisbon', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) expect((await count(zone)).status).toBe(200);
  for (const zone of ['AET', '+0530', '+05:30', 'ACT', 'US/Pacific-New', 'Not/AZone']) {
    const { status, body } = await count(zone);
    expect([zone, status, body.errors?.[0]?.path]).toEqual([zone, 400, 'zone']);
  }
});

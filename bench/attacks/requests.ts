import { randomBytes } from 'node:crypto';
import { ACCOUNT_ID, dana } from '#fixtures/business.ts';
import type { Attack } from './attack.ts';
import { addressOf, ask, askToSignIn, countStatus, keepAsking, keepConnections, statusesOf } from './client.ts';

const CONNECTIONS = 64;
const DAY = 86_400_000;

/** A business that sends the most expensive reads: searches without a match, and counts of more than a year. */
export const reads: Attack = {
  title: `${CONNECTIONS} connections of one account search and count`,
  watched: ['visitor', 'feed', 'counts'],
  async run({ product, tokens }, until) {
    const statuses = new Map<number, number>();
    const agent = keepConnections();
    await keepAsking(CONNECTIONS, until, async (count) => {
      const query =
        count % 2 === 0
          ? { action: 'list', text: `nowhere ${count}`, limit: 100 }
          : { action: 'summary', from: Date.now() - 400 * DAY, to: Date.now(), zone: 'Europe/Berlin', grain: 'day' };
      const token = tokens[count % tokens.length];
      const body = { service: 'feedback', accountId: ACCOUNT_ID, ...query };
      countStatus(statuses, await ask(product.address, body, { agent, token, from: addressOf(12, count) }));
    });
    agent.destroy();
    return { notes: [`reads ${statusesOf(statuses)}`] };
  },
};

/** A stranger who guesses passwords for known and unknown addresses, half from one network and half from everywhere. */
export const signIns: Attack = {
  title: `${CONNECTIONS} connections guess passwords`,
  watched: ['visitor', 'feed', 'sign-in'],
  async run({ product }, until) {
    const { clientId } = await product.pool();
    const statuses = new Map<number, number>();
    const agent = keepConnections();
    await keepAsking(CONNECTIONS, until, async (count) => {
      const email = count % 3 === 0 ? dana.data.emailAddress : `guess${count}@harborcoffee.test`;
      const from = count % 2 === 0 ? '192.0.2.77' : addressOf(13, count);
      countStatus(statuses, await askToSignIn(product.address, { clientId, email, password: `wrong ${count}` }, { agent, from }));
    });
    agent.destroy();
    return { notes: [`guesses ${statusesOf(statuses)}`] };
  },
};

/** Strangers from everywhere who sign up, for which each password is hashed. */
export const signUps: Attack = {
  title: `${CONNECTIONS} connections sign up`,
  watched: ['visitor', 'feed', 'counts', 'sign-in'],
  async run({ product }, until) {
    const { password } = await product.pool();
    const statuses = new Map<number, number>();
    const agent = keepConnections();
    await keepAsking(CONNECTIONS, until, async (count) => {
      const data = { displayName: 'Ann Lee', emailAddress: `owner${count}@newshop.test`, companyName: 'New Shop' };
      const body = { service: 'user', action: 'create', password, payload: { data } };
      countStatus(statuses, await ask(product.address, body, { agent, from: addressOf(15, count) }));
    });
    agent.destroy();
    return { notes: [`sign-ups ${statusesOf(statuses)}`] };
  },
};

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** Invalid bodies that are expensive to reject. */
const JUNK: readonly (string | Buffer)[] = [
  '{"service":',
  '{"service":"feedback","action":"explode"}',
  '{"service":"__proto__","action":"constructor"}',
  JSON.stringify({ service: 'feedback', action: 'save', payload: 'x'.repeat(250_000) }),
  JSON.stringify({ service: 'feedback', action: 'save', payload: Array.from({ length: 60_000 }, (_, place) => place % 10) }),
  JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, place) => [`k${place}`, 0]))),
  'x'.repeat(300_000),
  DEEP,
  `{"service":"feedback","action":"save","payload":${'{"a":'.repeat(19)}1${'}'.repeat(19)}}`,
  randomBytes(100_000),
];

/** Requests that aren't valid calls. */
export const junk: Attack = {
  title: `${CONNECTIONS} connections send junk`,
  watched: ['visitor', 'feed'],
  async run({ product }, until) {
    const statuses = new Map<number, number>();
    const agent = keepConnections();
    await keepAsking(CONNECTIONS, until, async (count) => {
      countStatus(statuses, await ask(product.address, JUNK[count % JUNK.length] ?? '', { agent, from: addressOf(14, count) }));
    });
    agent.destroy();
    const isBroken = [...statuses.keys()].some((status) => status === 500 || (status >= 200 && status < 300));
    return { notes: [`junk ${statusesOf(statuses)}`], wrong: isBroken ? ['junk was accepted or caused an error 500'] : [] };
  },
};

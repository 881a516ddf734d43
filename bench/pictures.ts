import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_ID, users } from '#fixtures/business.ts';
import { nestedDrawing, solidPicture } from '../test/support/hostile-pictures.ts';
import { line, median, milliseconds, quantile, times } from './measure.ts';
import type { BenchProduct } from './product.ts';

const ROUNDS = 3;
const UPLOADS = 100;
/** Between two uploads, and between two looks at the feed (ms). */
const UPLOAD_EVERY = 50;
const LOOK_EVERY = 10;

/** How long another person waits for a page of the feed while pictures are sent that were made to be slow, beside a quiet time. */
export async function measurePictures(product: BenchProduct): Promise<void> {
  const token = await product.signIn();
  const uploaders = await Promise.all(users.map(async ({ id, data }) => ({ id, token: await product.signIn(data.emailAddress) })));
  const pictures = [nestedDrawing(), await solidPicture(5_800), await solidPicture(2_000)];
  const taken = { quiet: [] as number[], beside: [] as number[] };
  const owner = await product.connect();
  await lookAtFeed(product, token, sleep(1_000));
  for (let round = 0; round < ROUNDS; round += 1) {
    // As if an hour had passed: each round begins with what a person may send.
    await owner.query('update "user" set pictures = 0');
    taken.quiet.push(...(await lookAtFeed(product, token, sleep(UPLOADS * UPLOAD_EVERY))));
    taken.beside.push(...(await lookAtFeed(product, token, uploadAll())));
  }
  await owner.end();
  const [quiet, beside] = [quantile(taken.quiet, 0.99), quantile(taken.beside, 0.99)];
  line('another person’s feed in quiet, p99', milliseconds(quiet), `baseline, median ${milliseconds(median(taken.quiet))}`);
  line(
    `beside ${UPLOADS} hostile pictures, p99`,
    milliseconds(beside),
    `${times(beside / quiet)}, median ${milliseconds(median(taken.beside))}`,
  );

  async function uploadAll(): Promise<void> {
    const answers: Promise<void>[] = [];
    for (let count = 0; count < UPLOADS; count += 1) {
      const { id, token } = uploaders[count % uploaders.length] ?? { id: '', token: '' };
      const avatar = pictures[count % pictures.length];
      answers.push(ask(product, token, { service: 'user', action: 'save', payload: { id, data: { avatar } } }));
      await sleep(UPLOAD_EVERY);
    }
    await Promise.all(answers);
  }
}

/** The times of looks at the feed until something is done: one after the other at a steady pace, as a person's page asks. */
async function lookAtFeed(product: BenchProduct, token: string, until: Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  let isOver = false;
  void until.finally(() => (isOver = true));
  while (!isOver) {
    const started = performance.now();
    await ask(product, token, { service: 'feedback', action: 'list', accountId: ACCOUNT_ID });
    taken.push(performance.now() - started);
    await sleep(LOOK_EVERY);
  }
  return taken;
}

async function ask({ address }: BenchProduct, token: string, body: object): Promise<void> {
  const answer = await fetch(`${address}/api/data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
}

import { setTimeout as sleep } from 'node:timers/promises';
import { users } from '#fixtures/business.ts';
import { nestedDrawing, solidPicture } from '../../test/support/hostile-pictures.ts';
import type { Attack } from './attack.ts';
import { ask, countStatus, statusesOf } from './client.ts';

const UPLOADS = 100;
/** Between two uploads (ms). */
const UPLOAD_EVERY = 50;

/** Uploads of pictures that are slow to process, by people of the sample business. */
export const pictures: Attack = {
  title: `${UPLOADS} hostile pictures`,
  watched: ['visitor', 'feed'],
  async run({ product }) {
    const drawings = [nestedDrawing(), await solidPicture(5_800), await solidPicture(2_000)];
    const uploaders = await Promise.all(users.map(async ({ id, data }) => ({ id, token: await product.signIn(data.emailAddress) })));
    const statuses = new Map<number, number>();
    const answers: Promise<void>[] = [];
    for (let count = 0; count < UPLOADS; count += 1) {
      const { id, token } = uploaders[count % uploaders.length] ?? { id: '', token: '' };
      const avatar = drawings[count % drawings.length];
      const body = { service: 'user', action: 'save', payload: { id, data: { avatar } } };
      answers.push(ask(product.address, body, { token }).then((answer) => countStatus(statuses, answer)));
      await sleep(UPLOAD_EVERY);
    }
    await Promise.all(answers);
    return { notes: [`uploads ${statusesOf(statuses)}`] };
  },
};

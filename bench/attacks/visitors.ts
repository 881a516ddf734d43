import { pier } from '#fixtures/business.ts';
import type { Attack, AttackScene } from './attack.ts';
import { storedId, tap } from './business.ts';
import { addressOf, ask, countStatus, keepAsking, keepConnections, statusesOf } from './client.ts';

const FLOODERS = 64;
const EDITORS = 6;
const VISITORS = 12;

/** The results of a business's own visitors. */
interface Crowd {
  readonly statuses: ReadonlyMap<number, number>;
  readonly stored: readonly string[];
}

/** Rates at the sample business with concurrent visitors, each repeating; all from one network, or each from their own. */
export async function rate(
  { product, form }: AttackScene,
  { visitors, until, from }: { visitors: number; until: number; from?: string },
): Promise<Crowd> {
  const statuses = new Map<number, number>();
  const stored: string[] = [];
  const agent = keepConnections();
  await keepAsking(visitors, until, async (count) => {
    const answer = await ask(product.address, tap(form, count), { agent, from: from ?? addressOf(11, count) });
    countStatus(statuses, answer);
    if (answer.status === 200) stored.push(storedId(answer.text));
  });
  agent.destroy();
  return { statuses, stored };
}

/** A business that constantly saves its form and property while its visitors rate; all of this locks the same rows. */
export const forms: Attack = {
  title: `${EDITORS} people save a form and its property, ${VISITORS} visitors rate there`,
  watched: ['visitor', 'feed'],
  async run(scene, until) {
    const saves = new Map<number, number>();
    const agent = keepConnections();
    const [crowd] = await Promise.all([
      rate(scene, { visitors: VISITORS, until }),
      keepAsking(EDITORS, until, async (count) => {
        const call =
          count % 2 === 0
            ? { service: 'form', payload: { id: scene.form.id, data: { inviteToReview: count % 4 === 0 ? 'good' : 'everyone' } } }
            : { service: 'property', payload: { id: pier.id, data: { displayName: `Pier ${count}` } } };
        const token = scene.tokens[count % EDITORS];
        countStatus(saves, await ask(scene.product.address, { ...call, action: 'save' }, { agent, token }));
      }),
    ]);
    agent.destroy();
    return { notes: [`saves ${statusesOf(saves)}`, `ratings ${statusesOf(crowd.statuses)}`], stored: crowd.stored };
  },
};

/** As many ratings of one form as a network can send. */
export const flood: Attack = {
  title: `a flood of one form from one network, ${FLOODERS} connections`,
  watched: ['visitor', 'feed'],
  async run(scene, until) {
    const { statuses, stored } = await rate(scene, { visitors: FLOODERS, until, from: '192.0.2.66' });
    const { rows } = await scene.owner.query<{ counted: number; suspected: number; quarters: number }>(
      `select count(*) filter (where suspected is null)::integer as counted, count(*) filter (where suspected)::integer as suspected,
              count(distinct date_bin('15 minutes', created, 'epoch'))::integer as quarters
         from feedback where id = any($1)`,
      [stored],
    );
    const { counted = 0, suspected = 0, quarters = 0 } = rows[0] ?? {};
    const isCounted = counted === 100 * quarters;
    const isRefused = [...statuses.keys()].some((status) => status !== 200 && status !== 503);
    return {
      notes: [`ratings ${statusesOf(statuses)}; ${counted} counted, ${suspected.toLocaleString('en-US')} suspected`],
      stored,
      wrong: [
        ...(isCounted ? [] : [`${counted} counted in ${quarters} quarters of an hour, not 100 in each`]),
        ...(isRefused ? ['responses other than 200 and 503'] : []),
      ],
    };
  },
};

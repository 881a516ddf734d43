import type pg from 'pg';
import type { BenchProduct } from '../product.ts';
import type { AnsweredForm, NeighbourBusiness } from './business.ts';
import type { Watched } from './neighbour.ts';

/** What an attack finds: the sample business, which is its own, and the neighbour. */
export interface AttackScene {
  readonly product: BenchProduct;
  /** A connection as the tables' owner. */
  readonly owner: pg.Client;
  /** The sample business's form. */
  readonly form: AnsweredForm;
  /** Access tokens of its people, all of them admins. */
  readonly tokens: readonly string[];
  readonly neighbour: NeighbourBusiness;
}

/** Something that a stranger or a whole business does to the others. */
export interface Attack {
  readonly title: string;
  /** What the neighbour is asked to do beside it. */
  readonly watched: readonly Watched[];
  /** Goes on until the moment (as `performance.now()`), then lets go of everything. */
  readonly run: (scene: AttackScene, until: number) => Promise<AttackOutcome>;
}

interface AttackOutcome {
  /** What the attackers saw, a line each. */
  readonly notes: readonly string[];
  /** The ids of what they were told is stored. */
  readonly stored?: readonly string[];
  /** What is wrong with it, whatever the time that it took. */
  readonly wrong?: readonly string[];
}

import type pg from 'pg';
import type { BenchProduct } from '../product.ts';
import type { AnsweredForm, NeighbourBusiness } from './business.ts';
import type { Watched } from './neighbour.ts';

/** What an attack works with: the sample business, which the attacker controls, and the neighbour. */
export interface AttackScene {
  readonly product: BenchProduct;
  /** A connection as the tables' owner. */
  readonly owner: pg.Client;
  /** The sample business's form. */
  readonly form: AnsweredForm;
  /** Access tokens of the sample business's admins. */
  readonly tokens: readonly string[];
  readonly neighbour: NeighbourBusiness;
}

/** Load from a stranger or a business, which must not affect others. */
export interface Attack {
  readonly title: string;
  /** What the neighbour does during it. */
  readonly watched: readonly Watched[];
  /** Attacks until a time (as in `performance.now()`), then closes its connections. */
  readonly run: (scene: AttackScene, until: number) => Promise<AttackOutcome>;
}

interface AttackOutcome {
  /** The attackers' results, one line each. */
  readonly notes: readonly string[];
  /** The ids of acknowledged answers. */
  readonly stored?: readonly string[];
  /** Wrong results, which fail the run. */
  readonly wrong?: readonly string[];
}

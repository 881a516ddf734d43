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

/** Something that a stranger or a whole business does to others. */
export interface Attack {
  readonly title: string;
  /** What the neighbour does during it. */
  readonly watched: readonly Watched[];
  /** Runs until then (as `performance.now()`), then releases everything. */
  readonly run: (scene: AttackScene, until: number) => Promise<AttackOutcome>;
}

interface AttackOutcome {
  /** The attackers' results, one line each. */
  readonly notes: readonly string[];
  /** Acknowledged ids. */
  readonly stored?: readonly string[];
  /** Errors, regardless of the time taken. */
  readonly wrong?: readonly string[];
}

import type * as v from 'valibot';
import type { EventName } from './events.ts';

/** Who may call an operation. The server decides; a page only mirrors the decision. */
export type Access = 'visitor' | 'member' | 'admin' | 'operator';

/** One thing that can be asked of the product: the dispatcher, the client and `GET /api/operations` are made from it. */
export interface Operation<
  Input extends v.GenericSchema = v.GenericSchema,
  Answer extends v.GenericSchema = v.GenericSchema,
  Who extends Access = Access,
> {
  readonly access: Who;
  readonly summary: string;
  readonly input: Input;
  readonly answer: Answer;
  /** For operators: the event that is recorded when it was done. The dispatcher does it, with what the input says. */
  readonly records?: EventName;
}

/** A room's operations by action: `{ list, get, save, … }`. */
export type Service = Readonly<Record<string, Operation>>;

/** What a caller sends, beside `service` and `action`. */
export type Sent<Op extends Operation> = v.InferInput<Op['input']>;
/** What a handler receives: checked, with defaults filled in. */
export type Input<Op extends Operation> = v.InferOutput<Op['input']>;
/** What a handler returns and a caller gets. */
export type Answer<Op extends Operation> = v.InferOutput<Op['answer']>;

/** Declares an operation. Gives back its argument; exists so that the types of input, answer and access are inferred. */
// @__NO_SIDE_EFFECTS__
export function operation<const Input extends v.GenericSchema, const Answer extends v.GenericSchema, const Who extends Access>(
  declaration: Operation<Input, Answer, Who>,
): Operation<Input, Answer, Who> {
  return declaration;
}

import * as v from 'valibot';

/** Who may see an event: everyone on the team, its admins, or the operators. */
type Audience = 'member' | 'admin' | 'operator';

/**
 * The declaration of an event, whose name is in the past tense. Its data has ids, numbers and settings, and never a visitor's words, a
 * person's name, an address, a code or a key: the record outlives them.
 */
export interface EventDeclaration<Data extends v.GenericSchema = v.GenericSchema> {
  readonly seenBy: Audience;
  readonly summary: string;
  readonly data: Data;
}

/** Returns its argument, with the type of its data inferred. */
// @__NO_SIDE_EFFECTS__
export function event<const Data extends v.GenericSchema>(declaration: EventDeclaration<Data>): EventDeclaration<Data> {
  return declaration;
}

/** The data of events that need no more than a name and a subject. */
export const noData = v.strictObject({});

/** Actors other than a person on a team: a visitor, the product itself, or an operator at the command line. */
export const VISITOR = 'visitor';
export const SYSTEM = 'afterword';
export const COMMAND_LINE = 'command-line';

/** The account id of events that belong to no account, such as an operator's viewing of a list. */
export const INSTALLATION = 'INSTALLATION';

import * as v from 'valibot';

/** Who may see that something happened: everybody of the team, its admins, or whoever runs the installation. */
type Audience = 'member' | 'admin' | 'operator';

/**
 * Something that can happen, in the past tense. Its data hold ids, numbers and settings, and never a visitor's words,
 * a person's name, an address, a code or a key: the record outlives them.
 */
export interface EventDeclaration<Data extends v.GenericSchema = v.GenericSchema> {
  readonly seenBy: Audience;
  readonly summary: string;
  readonly data: Data;
}

/** Declares an event. Gives back its argument; exists so that the type of its data is inferred. */
// @__NO_SIDE_EFFECTS__
export function event<const Data extends v.GenericSchema>(declaration: EventDeclaration<Data>): EventDeclaration<Data> {
  return declaration;
}

/** The data of events whose name and subject say everything. */
export const noData = v.strictObject({});

/** Actors that are not a person of a team: a visitor, the product itself, or whoever runs the installation, at its command line. */
export const VISITOR = 'visitor';
export const SYSTEM = 'afterword';
export const COMMAND_LINE = 'command-line';

/** The account id of events that belong to no account, such as an operator's look at a list. */
export const INSTALLATION = 'INSTALLATION';

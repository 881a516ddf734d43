import * as v from 'valibot';
import { badInput, fieldErrors, Refusal, refusal } from '#contract/core/errors.ts';
import {
  type Access,
  type Answer,
  type Input,
  needsSubscription,
  type Operation,
  refusalsOf,
  type Service,
} from '#contract/core/operation.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import type { EventName } from '#contract/events.ts';
import { FRESH_SIGN_IN_WINDOW } from '#contract/identity/identity.ts';
import type { Platform } from '../context.ts';
import type { LoadWatch } from '../http/load-shedding.ts';
import { type AccountScope, type Authenticator, asPerson, type OperatorScope, openOperatorScope, type Person } from './access.ts';

/** What a handler of a visitor's operation knows of the caller. */
interface Visitor {
  readonly address: string;
  /** The network that they call from, where that is known. */
  readonly network: string | undefined;
}
/** What a handler of a team's operation is given: who asks, and the account that may be touched. */
export interface Member {
  readonly person: Person;
  readonly scope: AccountScope;
}
/** What a handler of an operator's operation is given. */
export interface Operator {
  readonly person: Person;
  readonly scope: OperatorScope;
}
type Caller<A extends Access> = A extends 'visitor' ? Visitor : A extends 'operator' ? Operator : Member;

/** One handler for each operation of a room. `satisfies Handlers<typeof feedbackOperations>` */
export type Handlers<S extends Service> = {
  readonly [A in keyof S]: (
    caller: Caller<S[A]['access']>,
    input: Input<S[A]>,
  ) => Promise<Answer<S[A]> | (Caller<S[A]['access']> extends Member ? Slow<Answer<S[A]>> : never)>;
};

/** What a team's handler gives in place of an answer where something is to be done that takes long: that waits for no transaction, and none waits for it. */
export class Slow<A> {
  /** Done when the handler's transaction has ended well; what it gives answers in another one, for the same person, admitted anew. */
  readonly work: () => Promise<(member: Member) => Promise<A>>;

  constructor(work: () => Promise<(member: Member) => Promise<A>>) {
    this.work = work;
  }
}

/** Every handler of the product, by service and action. */
export type AllHandlers<S extends Record<string, Service>> = { readonly [Name in keyof S]: Handlers<S[Name]> };

/** A request to the data API, its JSON already parsed. */
interface Call {
  readonly body: unknown;
  readonly authorization: string | undefined;
  readonly address: string;
  readonly network: string | undefined;
  /** Filled in on the way, for the log. */
  readonly trace: { operation?: string; accountId?: string };
}

export interface Dispatcher {
  /** Answers a call, or throws a refusal. */
  dispatch(call: Call): Promise<unknown>;
}

/** Records an event of the installation, with what the input of an operation says. */
export type Audit = (scope: OperatorScope, name: EventName, input: unknown) => Promise<void>;

interface DispatcherOptions {
  readonly platform: Pick<Platform, 'database' | 'config' | 'now'>;
  readonly services: Record<string, Service>;
  // Each module checks its handlers against its operations.
  readonly handlers: Record<string, Record<string, (caller: never, input: never) => Promise<unknown>>>;
  readonly authenticator: Authenticator;
  /** Writes down what an operator did. */
  readonly audit: Audit;
  /** Refuses `subscription-ended` where the account can only be read. */
  readonly requireChangeable: (scope: AccountScope) => Promise<void>;
  /** Whoever is signed in gives way to visitors. */
  readonly load: Pick<LoadWatch, 'shed'>;
}

/** Finds the operation, admits the caller, checks the input, runs the handler. */
export function createDispatcher({
  platform,
  services,
  handlers,
  authenticator,
  audit,
  load,
  requireChangeable,
}: DispatcherOptions): Dispatcher {
  return {
    async dispatch({ body, authorization, address, network, trace }) {
      const { service, action, ...sent } = envelopeOf(body);
      const operation = own(own(services, service), action);
      // The compiler cannot see that this handler belongs to this operation; `Handlers` made sure of it.
      const handle = own(own(handlers, service), action) as Handler | undefined;
      if (!operation || !handle) throw refusal('unknown-operation');
      trace.operation = `${service}.${action}`;
      if (platform.config.production) return run(operation, handle);
      return checkedAnswer(
        operation,
        await run(operation, handle).catch((error: unknown) => {
          throw checkedRefusal(operation, error);
        }),
      );

      async function run(operation: Operation, handle: Handler): Promise<unknown> {
        const { access, input, isGuarded, isOwn, whileDeleted, records } = operation;
        if (access === 'visitor') return handle({ address, network }, checkedInput(input, sent));
        load.shed('team');
        const admit = { authorization, access, whileDeleted, isOwn };
        const answer = await asPerson({ ...platform, authenticator }, admit, async (person, scope) => {
          trace.accountId = scope.accountId;
          if (isGuarded) requireFresh(person, scope.now);
          if (needsSubscription(operation)) await requireChangeable(scope);
          const checked = checkedInput(input, sent);
          if (access === 'operator') return asOperator({ person, scope: await openOperatorScope(scope) }, checked);
          return isForeign(checked, scope) ? NOT_FOUND : handle({ person, scope }, checked);
        });
        if (!(answer instanceof Slow)) return answer;
        const finish = await answer.work();
        return asPerson({ ...platform, authenticator }, admit, (person, scope) => finish({ person, scope }));

        async function asOperator(operator: Operator, checked: unknown): Promise<unknown> {
          const answer = await handle(operator, checked);
          if (records !== undefined && answer !== NOT_FOUND) await audit(operator.scope, records, checked);
          return answer;
        }
      }
    },
  };
}

/** Refuses where the password was not given just now, or nobody knows when. */
function requireFresh({ signedIn }: Person, now: Date): void {
  if (signedIn === undefined || now.getTime() - signedIn.getTime() > FRESH_SIGN_IN_WINDOW) throw refusal('sign-in-again');
}

type Handler = (caller: Visitor | Member | Operator, input: unknown) => Promise<unknown>;

function envelopeOf(body: unknown): { service: string; action: string } & Record<string, unknown> {
  const { service, action, ...rest } = isObject(body) ? body : {};
  const errors = [
    ...(typeof service === 'string' ? [] : [{ path: 'service', message: 'Please name a service' }]),
    ...(typeof action === 'string' ? [] : [{ path: 'action', message: 'Please name an action' }]),
  ];
  if (typeof service !== 'string' || typeof action !== 'string') throw refusal('bad-input', { errors });
  return { ...rest, service, action };
}

/** Whether the input names another account than the caller's. The answer is then the same as for a missing one. */
const isForeign = (input: unknown, scope: AccountScope): boolean =>
  isObject(input) && typeof input['accountId'] === 'string' && input['accountId'] !== scope.accountId;

function checkedInput(input: v.GenericSchema, sent: unknown): unknown {
  const result = v.safeParse(input, sent, { abortPipeEarly: true });
  if (!result.success) throw badInput(result.issues);
  return result.output;
}

/** Outside production an answer that breaks its own schema is a bug that shows at once. */
function checkedAnswer(operation: Operation, answer: unknown): unknown {
  const result = v.safeParse(operation.answer, answer);
  if (!result.success) throw new Error(`The answer breaks its contract: ${JSON.stringify(fieldErrors(result.issues))}`);
  return answer;
}

/** Outside production a refusal that an operation does not declare is a bug, too. */
function checkedRefusal(operation: Operation, error: unknown): unknown {
  const code = error instanceof Refusal ? error.code : undefined;
  if (code === undefined || Object.hasOwn(refusalsOf(operation), code)) return error;
  return new Error(`The operation refuses ${code}, which it does not declare`, { cause: error });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function own<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

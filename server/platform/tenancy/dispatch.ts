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

/** The caller of a visitor's operation. */
interface Visitor {
  readonly address: string;
  /** Their network, if it's known. */
  readonly network: string | undefined;
}
/** The caller of a member's or admin's operation, and the scope of their account. */
export interface Member {
  readonly person: Person;
  readonly scope: AccountScope;
}
/** The caller of an operator's operation. */
export interface Operator {
  readonly person: Person;
  readonly scope: OperatorScope;
}
type Caller<A extends Access> = A extends 'visitor' ? Visitor : A extends 'operator' ? Operator : Member;

/** A handler for each operation of a service, for `satisfies Handlers<typeof feedbackOperations>`. */
export type Handlers<S extends Service> = {
  readonly [A in keyof S]: (
    caller: Caller<S[A]['access']>,
    input: Input<S[A]>,
  ) => Promise<Answer<S[A]> | (Caller<S[A]['access']> extends Member ? SlowWork<Answer<S[A]>> : never)>;
};

/** Returned by a handler to do slow work between two transactions, so that no transaction stays open during it. */
export class SlowWork<A> {
  /** Runs after the handler's transaction commits. Returns the function that answers in a second one, after access is checked again. */
  readonly work: () => Promise<(member: Member) => Promise<A>>;

  constructor(work: () => Promise<(member: Member) => Promise<A>>) {
    this.work = work;
  }
}

/** All handlers, by service and action. */
export type AllHandlers<S extends Record<string, Service>> = { readonly [Name in keyof S]: Handlers<S[Name]> };

/** A request to the data API with its body already parsed. */
interface Call {
  readonly body: unknown;
  readonly authorization: string | undefined;
  readonly address: string;
  readonly network: string | undefined;
  /** Filled in during the call, for the log. */
  readonly trace: { operation?: string; accountId?: string };
}

export interface Dispatcher {
  /** Returns the answer of a call, or throws a refusal. */
  dispatch(call: Call): Promise<unknown>;
}

/** Records an event of the installation, with data from an operation's input. */
export type Audit = (scope: OperatorScope, name: EventName, input: unknown) => Promise<void>;

interface DispatcherOptions {
  readonly platform: Pick<Platform, 'database' | 'config' | 'now'>;
  readonly services: Record<string, Service>;
  // Each module checks its handlers against its operations.
  readonly handlers: Record<string, Record<string, (caller: never, input: never) => Promise<unknown>>>;
  readonly authenticator: Authenticator;
  /** Records an operator's action. */
  readonly audit: Audit;
  /** Refuses `subscription-ended` if the account is read-only. */
  readonly requireChangeable: (scope: AccountScope) => Promise<void>;
  /** Refuses requests of signed-in people under load, in favor of visitors. */
  readonly load: Pick<LoadWatch, 'shed'>;
}

/** Creates the dispatcher, which finds the operation, checks access and input, and runs the handler. */
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
      const operation = ownValue(ownValue(services, service), action);
      // The compiler can't see that this handler belongs to this operation; `Handlers` has checked it.
      const handle = ownValue(ownValue(handlers, service), action) as Handler | undefined;
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
        const { access, input, isGuarded, isOwn, keyScope, whileDeleted, records } = operation;
        if (access === 'visitor') return handle({ address, network }, checkedInput(input, sent));
        load.shed('team');
        const admit = { authorization, access, keyScope, whileDeleted, isOwn };
        const answer = await asPerson({ ...platform, authenticator }, admit, async (person, scope) => {
          trace.accountId = scope.accountId;
          if (isGuarded) requireFresh(person, scope.now);
          if (needsSubscription(operation)) await requireChangeable(scope);
          const checked = checkedInput(input, sent);
          if (access === 'operator') return asOperator({ person, scope: await openOperatorScope(scope) }, checked);
          return isForeign(checked, scope) ? NOT_FOUND : handle({ person, scope }, checked);
        });
        if (!(answer instanceof SlowWork)) return answer;
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

/** Refuses unless the password was entered recently, at a known time. */
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

/** Returns whether the input names another account than the caller's, which gets the answer of a missing one. */
const isForeign = (input: unknown, scope: AccountScope): boolean =>
  isObject(input) && typeof input['accountId'] === 'string' && input['accountId'] !== scope.accountId;

function checkedInput(input: v.GenericSchema, sent: unknown): unknown {
  const result = v.safeParse(input, sent, { abortPipeEarly: true });
  if (!result.success) throw badInput(result.issues);
  return result.output;
}

/** Throws if an answer doesn't match its schema, so that such bugs show outside production. */
function checkedAnswer(operation: Operation, answer: unknown): unknown {
  const result = v.safeParse(operation.answer, answer);
  if (!result.success) throw new Error(`The answer breaks its contract: ${JSON.stringify(fieldErrors(result.issues))}`);
  return answer;
}

/** Returns an error in place of a refusal that the operation doesn't declare. */
function checkedRefusal(operation: Operation, error: unknown): unknown {
  const code = error instanceof Refusal ? error.code : undefined;
  if (code === undefined || Object.hasOwn(refusalsOf(operation), code)) return error;
  return new Error(`The operation refuses ${code}, which it does not declare`, { cause: error });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function ownValue<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

import * as v from 'valibot';
import type { Dependencies, RequestContext } from '../pool/dependencies.ts';
import type { PoolError } from '../pool/errors.ts';
import { asSignedIn, type SignedIn } from '../pool/sessions/authenticator.ts';
import { noSuchClient } from './errors.ts';
import { accessToken, validated } from './validation.ts';

/** A word of the protocol: checks its input, asks the pool, and puts the outcome in Cognito's form. */
export interface Action {
  /** Whether a repetition of a call gets the first answer again, because doing it twice is not the same as once. */
  readonly isReplayed: boolean;
  run(dependencies: Dependencies, sent: unknown, context: RequestContext): Promise<object>;
}

interface ActionOptions {
  readonly isReplayed?: boolean;
}

type Run<S extends v.GenericSchema> = (dependencies: Dependencies, input: v.InferOutput<S>, context: RequestContext) => Promise<object>;

export function action<S extends v.GenericSchema>(input: S, run: Run<S>, { isReplayed = false }: ActionOptions = {}): Action {
  return { isReplayed, run: (dependencies, sent, context) => run(dependencies, validated(input, sent), context) };
}

/** An action of an app that names itself: it has to be the pool's own. */
export function clientAction<S extends v.GenericSchema<unknown, { readonly ClientId: string }>>(
  input: S,
  run: Run<S>,
  options?: ActionOptions,
): Action {
  const ofClient: Run<S> = async (dependencies, sent, context) => {
    if (sent.ClientId !== dependencies.names.clientId) throw noSuchClient(sent.ClientId);
    return run(dependencies, sent, context);
  };
  return action(input, ofClient, options);
}

/** A refusal that is given back keeps what was written; one that is thrown does not. */
type RunSignedIn<S extends v.GenericSchema> = (caller: SignedIn, input: v.InferOutput<S>) => Promise<object | PoolError>;

/** An action of somebody who is signed in: the body carries the access token. */
export function signedInAction<S extends v.GenericSchema>(input: S, run: RunSignedIn<S>, options?: ActionOptions): Action {
  return action(
    v.intersect([v.object({ AccessToken: accessToken }), input]),
    (dependencies, sent, context) =>
      asSignedIn(dependencies, { accessToken: sent.AccessToken, context }, (caller) => run(caller, sent as v.InferOutput<S>)),
    options,
  );
}

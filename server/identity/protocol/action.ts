import * as v from 'valibot';
import type { Dependencies, RequestContext } from '../pool/dependencies.ts';
import type { PoolError } from '../pool/errors.ts';
import { asSignedIn, type SignedIn } from '../pool/sessions/authenticator.ts';
import { noSuchClient } from './errors.ts';
import { accessToken, validated } from './validation.ts';

/** An action of the protocol: checks its input, calls the pool and returns the outcome in Cognito's format. */
export interface Action {
  /** True if a retry gets the first answer again, because the action is not idempotent. */
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

/** Returns an action whose caller must send the pool's own client id. */
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

/** Returning a refusal commits the transaction; throwing one rolls it back. */
type RunSignedIn<S extends v.GenericSchema> = (caller: SignedIn, input: v.InferOutput<S>) => Promise<object | PoolError>;

/** Returns an action of a signed-in person, whose access token is in the body. */
export function signedInAction<S extends v.GenericSchema>(input: S, run: RunSignedIn<S>, options?: ActionOptions): Action {
  return action(
    v.intersect([v.object({ AccessToken: accessToken }), input]),
    (dependencies, sent, context) =>
      asSignedIn(dependencies, { accessToken: sent.AccessToken, context }, (caller) => run(caller, sent as v.InferOutput<S>)),
    options,
  );
}

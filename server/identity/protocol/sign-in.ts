import * as v from 'valibot';
import { invalidParameter } from '../pool/errors.ts';
import { requireClient } from '../pool/pool.ts';
import { passwordParameters, signIn } from '../pool/sign-in.ts';
import { action, type Dependencies, type RequestContext } from './action.ts';
import { refreshInPlace, refreshParameters } from './refresh.ts';
import { clientId, validatedParameters } from './validation.ts';

/** Everything that Cognito knows to begin with; what we serve is below. */
const FLOWS = [
  'USER_SRP_AUTH',
  'REFRESH_TOKEN_AUTH',
  'REFRESH_TOKEN',
  'CUSTOM_AUTH',
  'ADMIN_NO_SRP_AUTH',
  'USER_PASSWORD_AUTH',
  'ADMIN_USER_PASSWORD_AUTH',
  'USER_AUTH',
] as const;

type Flow = (dependencies: Dependencies, parameters: unknown, context: RequestContext) => Promise<object>;

const refreshFlow: Flow = (dependencies, parameters, context) =>
  refreshInPlace(dependencies, validatedParameters(refreshParameters, parameters), context);

const SERVED: Readonly<Partial<Record<(typeof FLOWS)[number], Flow>>> = {
  USER_PASSWORD_AUTH: (dependencies, parameters, context) =>
    signIn(dependencies, validatedParameters(passwordParameters, parameters), context),
  REFRESH_TOKEN_AUTH: refreshFlow,
  REFRESH_TOKEN: refreshFlow,
};

const input = v.object({
  AuthFlow: v.picklist(FLOWS),
  ClientId: clientId,
  AuthParameters: v.optional(v.record(v.string(), v.string()), {}),
});

export const initiateAuth = action(
  input,
  async (dependencies, { AuthFlow, ClientId, AuthParameters }, context) => {
    requireClient(dependencies.names, ClientId);
    const flow = SERVED[AuthFlow];
    if (!flow) throw invalidParameter(`${AuthFlow} flow not enabled for this client`);
    return flow(dependencies, AuthParameters, context);
  },
  { isReplayed: true },
);

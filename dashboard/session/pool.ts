import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { invalidate } from '../data/effects.ts';
import { type UseActionResult, useMutationAction } from '../data/useAction.ts';
import { poolUnreachable } from './errors.ts';
import { answerChallenge, checkSession, confirmAndSignIn, loadPool, signIn, signInElsewhere, signOut, useSession } from './session.ts';

/* What the user pool knows about the person who is signed in, and what can be done with it. */

export const totpQuery = queryOptions({ queryKey: ['pool', 'totp'], queryFn: async () => (await loadPool()).hasTotp() });

/** When the password was given in this session (UTC ms); null where nobody knows. */
export const signedInAtQuery = queryOptions({
  queryKey: ['pool', 'signed-in-at'],
  queryFn: async () => (await (await loadPool()).signedInAt()) ?? null,
});

export const devicesQuery = queryOptions({ queryKey: ['pool', 'devices'], queryFn: async () => (await loadPool()).listDevices() });

/** These also settle who is signed in; every other action is the pool's alone. */
const SESSION_ACTIONS = { signIn, confirmAndSignIn, signInElsewhere, answerChallenge, signOut };

type PoolModule = Awaited<ReturnType<typeof loadPool>>;
type Actions = typeof SESSION_ACTIONS & Omit<PoolModule, keyof typeof SESSION_ACTIONS>;
type PoolAction = { [Name in keyof Actions]: Actions[Name] extends (input: never) => Promise<unknown> ? Name : never }[keyof Actions];
type PoolActionInput<F> = F extends (input: infer Input) => unknown ? (unknown extends Input ? undefined : Input) : never;
type PoolActionOutput<F> = F extends (...given: never[]) => Promise<infer Output> ? Output : never;

/** What each action changes in the cache or the session, like data/effects.ts for those of the server. A promise is awaited. */
const EFFECTS: { readonly [Name in PoolAction]?: (client: QueryClient, output: PoolActionOutput<Actions[Name]>) => unknown } = {
  // The pool has ended every session; what this browser still holds is of no use.
  resetPassword: () => useSession.getState().userId !== undefined && signOut().catch(() => undefined),
  changeEmail: (client, needsCode) => !needsCode && staleUser(client),
  confirmNewEmail: staleUser,
  // Whoever runs the installation may do so from here on.
  signInAgain: (client, outcome) =>
    outcome === 'done' && Promise.all([client.invalidateQueries({ queryKey: signedInAtQuery.queryKey }), checkSession()]),
  finishTotp: (client) => client.setQueryData(totpQuery.queryKey, true),
  endTotp: (client) => client.setQueryData(totpQuery.queryKey, false),
  rememberThisDevice: staleDevices,
  forgetDevice: staleDevices,
};

/** Something to do with the user pool: `usePoolAction('changePassword')`. The shape is that of `useAction`. */
export function usePoolAction<Name extends PoolAction>(
  name: Name,
): UseActionResult<PoolActionInput<Actions[Name]>, PoolActionOutput<Actions[Name]>> {
  const client = useQueryClient();
  return useMutationAction<PoolActionInput<Actions[Name]>, PoolActionOutput<Actions[Name]>>({
    mutationFn: async (input) => {
      const pool = await loadPool().catch(() => {
        throw poolUnreachable();
      });
      const actions = { ...pool, ...SESSION_ACTIONS };
      // Name, input and output belong together, which the compiler cannot follow through the lookup.
      const act = actions[name] as unknown as (given: PoolActionInput<Actions[Name]>) => Promise<PoolActionOutput<Actions[Name]>>;
      return act(input);
    },
    onSuccess: (output) => EFFECTS[name]?.(client, output),
  });
}

/** Only the server's people have the pool's accounts. */
function staleUser(client: QueryClient): void {
  invalidate({ client, source: { id: 'server' } }, ['user.get', 'user.list']);
}

function staleDevices(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: devicesQuery.queryKey });
}

import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { invalidate } from '../data/effects.ts';
import { type UseActionResult, useMutationAction } from '../data/useAction.ts';
import { answerChallenge, checkSession, confirmAndSignIn, loadPool, signIn, signInElsewhere, signOut, useSession } from './session.ts';

/* Queries and actions of the user pool for the signed-in person. */

export const totpQuery = queryOptions({ queryKey: ['pool', 'totp'], queryFn: async () => (await loadPool()).hasTotp() });

/** When the password was entered in this session (UTC ms); null if unknown. */
export const signedInAtQuery = queryOptions({
  queryKey: ['pool', 'signed-in-at'],
  queryFn: async () => (await (await loadPool()).signedInAt()) ?? null,
});

export const devicesQuery = queryOptions({ queryKey: ['pool', 'devices'], queryFn: async () => (await loadPool()).listDevices() });

/** Actions that also change the session; every other action calls only the pool. */
const SESSION_ACTIONS = { signIn, confirmAndSignIn, signInElsewhere, answerChallenge, signOut };

type PoolModule = Awaited<ReturnType<typeof loadPool>>;
type Actions = typeof SESSION_ACTIONS & Omit<PoolModule, keyof typeof SESSION_ACTIONS>;
type PoolAction = { [Name in keyof Actions]: Actions[Name] extends (input: never) => Promise<unknown> ? Name : never }[keyof Actions];
type PoolActionInput<F> = F extends (input: infer Input) => unknown ? (unknown extends Input ? undefined : Input) : never;
type PoolActionOutput<F> = F extends (...given: never[]) => Promise<infer Output> ? Output : never;

/** How each action changes the cache or the session, like data/effects.ts for the server's. Promises are awaited. */
const EFFECTS: { readonly [Name in PoolAction]?: (client: QueryClient, output: PoolActionOutput<Actions[Name]>) => unknown } = {
  // The pool has ended every session, so this browser's tokens no longer work.
  resetPassword: () => useSession.getState().userId !== undefined && signOut().catch(() => undefined),
  changeEmail: (client, needsCode) => !needsCode && staleUser(client),
  confirmNewEmail: staleUser,
  // May turn the person into an operator.
  signInAgain: (client, outcome) =>
    outcome === 'done' && Promise.all([client.invalidateQueries({ queryKey: signedInAtQuery.queryKey }), checkSession()]),
  finishTotp: (client) => client.setQueryData(totpQuery.queryKey, true),
  endTotp: (client) => client.setQueryData(totpQuery.queryKey, false),
  rememberThisDevice: staleDevices,
  forgetDevice: staleDevices,
};

/** Returns an action of the user pool, like `useAction`: `usePoolAction('changePassword')`. */
export function usePoolAction<Name extends PoolAction>(
  name: Name,
): UseActionResult<PoolActionInput<Actions[Name]>, PoolActionOutput<Actions[Name]>> {
  const client = useQueryClient();
  return useMutationAction<PoolActionInput<Actions[Name]>, PoolActionOutput<Actions[Name]>>({
    mutationFn: async (input) => {
      // Signing out works offline, so it doesn't wait for the pool's functions.
      const actions = name in SESSION_ACTIONS ? SESSION_ACTIONS : await loadPool();
      // The compiler can't follow the name's input and output through the lookup.
      const { [name]: act } = actions as unknown as {
        readonly [Each in Name]: (input: PoolActionInput<Actions[Each]>) => Promise<PoolActionOutput<Actions[Each]>>;
      };
      return act(input);
    },
    onSuccess: (output) => EFFECTS[name]?.(client, output),
  });
}

/** Refetches people from the server; the demo has no pool accounts. */
function staleUser(client: QueryClient): void {
  invalidate({ client, source: { id: 'server' } }, ['user.get', 'user.list']);
}

function staleDevices(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: devicesQuery.queryKey });
}

import { create } from 'zustand';
import { readPublicConfig, type TokenKeeper } from '../data/client.ts';
import { forgetFeedback } from '../data/store.ts';
import type { Stage } from './gate.ts';

interface Session {
  readonly stage: Stage;
  /** Whose session it is; undefined when nobody is signed in. */
  readonly userId: string | undefined;
}

export const useSession = create<Session>()(() => ({ stage: 'start', userId: undefined }));

/** aws-amplify is large and only signed-in people and the sign-in screen need it. */
let loaded: Promise<typeof import('./auth.ts')> | undefined;

function auth(): Promise<typeof import('./auth.ts')> {
  loaded ??= open().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function open(): Promise<typeof import('./auth.ts')> {
  const [module, config] = await Promise.all([import('./auth.ts'), readPublicConfig()]);
  module.configureAuth(config);
  module.onSessionChange((event) => void (event === 'signedIn' ? checkSession() : end()));
  return module;
}

/** Looks whether somebody is signed in (SPEC §4). Not reaching anybody is not being signed out. */
export async function checkSession(): Promise<void> {
  try {
    const sub = await (await auth()).currentSub();
    useSession.setState(
      sub === undefined ? { stage: 'unauthenticated', userId: undefined } : { stage: 'authenticated', userId: `USER_${sub}` },
    );
  } catch {
    useSession.setState({ stage: 'unreachable' });
  }
}

/** Throws a SignInError with the words to show. */
export async function signIn(email: string, password: string): Promise<'done' | 'verify' | 'reset'> {
  const step = await (await auth()).signIn(email, password);
  if (step === 'done') await checkSession();
  return step;
}

export async function signOut(): Promise<void> {
  await (await auth()).signOut();
  end();
}

/** Nothing of the team stays behind on the device. */
function end(): void {
  forgetFeedback();
  useSession.setState({ stage: 'unauthenticated', userId: undefined });
}

export const tokenKeeper: TokenKeeper = {
  token: async (fresh) => (await auth()).accessToken(fresh),
  ended: () => void signOut().catch(end),
};

import { FORM_SCOPE, FORM_WORKER } from '#contract/form/form-page.ts';

/** The browser's policy factory, which TypeScript doesn't declare. */
interface WorkerPolicyFactory {
  createPolicy(name: 'form-worker', rules: { createScriptURL(): string }): { createScriptURL(url: string): string };
}

let isRegistered = false;

/** Makes the form open without a network from now on, where the browser can. */
export function registerWorker(): void {
  if (isRegistered || !('serviceWorker' in navigator)) return;
  isRegistered = true;
  const { trustedTypes } = globalThis as { trustedTypes?: WorkerPolicyFactory };
  const address = trustedTypes?.createPolicy('form-worker', { createScriptURL: () => FORM_WORKER }).createScriptURL('') ?? FORM_WORKER;
  // Without it the form works as before, so a failure concerns no one.
  navigator.serviceWorker.register(address, { scope: FORM_SCOPE, updateViaCache: 'none' }).catch(() => undefined);
}

import { FORM_SCOPE, FORM_WORKER } from '#contract/form/form-page.ts';
import { workerAddress } from './worker-address.ts';

let isRegistered = false;

/**
 * Makes the form open without a network from now on, where the browser can. Call it once the visitor has answered or left, so that it
 * delays nothing they wait for.
 */
export function registerWorker(): void {
  // A frame of another site has storage of its own, which its worker would fill for nothing.
  const isFrame = window.parent !== window;
  // Without a network, the worker can't be loaded. It's registered with the next answer that arrives.
  if (isRegistered || isFrame || !navigator.onLine || !('serviceWorker' in navigator)) return;
  isRegistered = true;
  const address = workerAddress('form-worker', FORM_WORKER);
  // Without it the form works as before, so a failure concerns no one.
  navigator.serviceWorker.register(address, { scope: FORM_SCOPE, updateViaCache: 'none' }).catch(() => undefined);
}

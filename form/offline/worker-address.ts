/** The browser's policy factory, which TypeScript doesn't declare. */
interface WorkerPolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string };
}

/** Returns the address of a service worker as a page with Trusted Types accepts it. Call it once for each policy. */
export function workerAddress(policy: string, address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: WorkerPolicyFactory };
  return trustedTypes?.createPolicy(policy, { createScriptURL: () => address }).createScriptURL('') ?? address;
}

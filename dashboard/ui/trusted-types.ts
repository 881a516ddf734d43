/** The browser's own, which TypeScript does not declare. */
interface PolicyFactory {
  createPolicy(
    name: 'default',
    rules: { readonly createHTML: (text: string) => string | undefined; readonly createScriptURL: (url: string) => string | undefined },
  ): unknown;
}

const SCRIPTS = ['/push-worker.js', '/sandbox/paddle.js'];

/**
 * Makes the one policy that the server lets this page have (docs/limits.md#dashboard-policy). Text that opens no tag may
 * be set as HTML, which is how the component kit writes its style sheets; every other HTML, and every script but the one that
 * shows what is pushed and the checkout of the sandbox, is refused by the browser. Browsers without Trusted Types go without.
 */
export function refuseHtml(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? undefined : text),
    createScriptURL: (url) => (SCRIPTS.includes(url) ? url : undefined),
  });
}

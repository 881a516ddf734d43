/** The browser's policy factory, which TypeScript doesn't declare. */
interface PolicyFactory {
  createPolicy(
    name: 'default',
    rules: { readonly createHTML: (text: string) => string | undefined; readonly createScriptURL: (url: string) => string | undefined },
  ): unknown;
}

const SCRIPTS = ['/push-worker.js', '/sandbox/paddle.js'];

/**
 * Creates the only Trusted Types policy that the server allows (docs/rules.md#security-headers). It accepts text without tags as
 * HTML, which Mantine uses for style sheets, and two scripts: the push worker and the sandbox checkout. The browser refuses
 * everything else. Browsers without Trusted Types ignore it.
 */
export function refuseHtml(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? undefined : text),
    createScriptURL: (url) => (SCRIPTS.includes(url) ? url : undefined),
  });
}

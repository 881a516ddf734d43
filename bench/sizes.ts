import { formPath } from '#contract/form/form-page.ts';
import { pier } from '#fixtures/business.ts';
import { withBrowser } from './browser.ts';
import { kilobytes, line } from './measure.ts';
import type { BenchProduct } from './product.ts';

/** Measures the bytes of a first visit, compressed, with headers. */
export async function measureSizes({ address }: BenchProduct): Promise<void> {
  const pages = { 'a visitor’s form': formPath(pier.data.formId), 'sign-in': '/', 'the demo’s feed': '/demo' };
  await withBrowser(async (browser) => {
    for (const [name, path] of Object.entries(pages)) {
      const bytes = await browser.transferred(`${address}${path}`);
      const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
      line(name, kilobytes(total), [...bytes].map(([kind, size]) => `${kind.toLowerCase()} ${kilobytes(size)}`).join(', '));
    }
  });
}

import path from 'node:path';
import { expect, it } from 'vitest';
import { readTexts } from './docs.ts';
import { limitsDocument } from './limits.ts';

it('lists each limit in docs/limits.md as the code has it', async () => {
  await expect(limitsDocument(readTexts())).toMatchFileSnapshot(path.resolve(import.meta.dirname, '../../docs/limits.md'));
});

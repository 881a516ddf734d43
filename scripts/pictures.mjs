// `npm run pictures [-- folder]`: a picture of every screen, on a phone and a desk, light and dark; `pictures/` where no folder is named.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const folder = path.resolve(process.argv[2] ?? 'pictures');
mkdirSync(folder, { recursive: true });
process.env.SCREENSHOTS = folder;
process.argv.splice(2, 1, '--project', 'journeys', 'e2e/screens.test.ts', 'e2e/form.test.ts');
await import('./test.mjs');

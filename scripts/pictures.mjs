// `npm run pictures [-- folder]`: a picture of every screen, on a phone and a desk, light and dark; `pictures/` where no folder is named.
// `npm run pictures -- guides`: those that the guides show, into `docs/images`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const isOfGuides = process.argv[2] === 'guides';
const folder = isOfGuides ? path.resolve(import.meta.dirname, '../docs/images') : path.resolve(process.argv[2] ?? 'pictures');
mkdirSync(folder, { recursive: true });
process.env[isOfGuides ? 'GUIDE_PICTURES' : 'SCREENSHOTS'] = folder;
const files = isOfGuides ? ['e2e/guides.test.ts'] : ['e2e/screens.test.ts', 'e2e/form.test.ts'];
process.argv.splice(2, 1, '--project', 'journeys', ...files);
await import('./test.mjs');

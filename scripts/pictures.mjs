// `npm run pictures [-- folder]`: pictures of every screen on a phone and a desktop, light and dark, by default in `pictures/`.
// `npm run pictures -- guides`: the guides' pictures, in `docs/images`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const isForGuides = process.argv[2] === 'guides';
const folder = isForGuides ? path.resolve(import.meta.dirname, '../docs/images') : path.resolve(process.argv[2] ?? 'pictures');
mkdirSync(folder, { recursive: true });
process.env[isForGuides ? 'GUIDE_PICTURES' : 'SCREENSHOTS'] = folder;
const files = isForGuides ? ['e2e/look/guides.test.ts'] : ['e2e/look/screens.test.ts', 'e2e/visitor/form.test.ts'];
process.argv.splice(2, 1, '--project', 'journeys', ...files);
await import('./test.mjs');

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import product from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import { releasedFiles, releasedManifests, root } from './files.ts';

/** `npm run release [-- FILE]`: writes the built product to an archive. A server that unpacks it doesn't build anything. */
const { positionals } = parseArgs({ allowPositionals: true });
const name = `afterword-${product.version}`;
const file = path.resolve(process.env['INIT_CWD'] ?? '.', positionals[0] ?? `${name}.tar.gz`);
if (!existsSync(path.join(root, 'dist/built-from')))
  throw new Error('dist/ has no record of its sources. Run npm run release, which builds it.');
await mkdir(path.dirname(file), { recursive: true });
const archive = pack();
// Renamed at the end, so that an existing archive is always complete.
const unfinished = `${file}.part`;
await Promise.all([fill(archive), pipeline(archive, createGzip({ level: 9 }), createWriteStream(unfinished))]);
await rename(unfinished, file);
const { size } = await stat(file);
process.stdout.write(`${file}  ${(size / 1e6).toFixed(1)} MB\nsha256 ${await digestOf(file)}\nTag its commit v${product.version}.\n`);

/** Adds the files without times and owners, so that the same files give the same archive. */
async function fill(into: Pack): Promise<void> {
  const manifests = releasedManifests(product, lock);
  for (const place of releasedFiles()) {
    const content = manifests[place] ?? (await readFile(path.join(root, place)));
    await new Promise<void>((resolve, reject) => {
      into.entry({ name: `${name}/${place}`, mode: 0o644, mtime: new Date(0) }, content, (error) => (error ? reject(error) : resolve()));
    });
  }
  into.finalize();
}

async function digestOf(archiveFile: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(archiveFile), hash);
  return hash.digest('hex');
}

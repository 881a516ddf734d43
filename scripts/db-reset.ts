import { readdir, readlink, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { AFTERWORD } from '../server/afterword.ts';
import { readConfig } from '../server/platform/config/config.ts';
import { findEmbeddedPostgres } from '../server/postgres/postgres.ts';

/** `npm run db:reset`: deletes the embedded database, so that the next start creates a new sample business. */

/** Afterword's files in `DATA_DIR`. Others aren't touched. */
const OURS = /^(?:postgres|postgresql-.+|postgres\.password|identity\.secret|sample-password\.txt(?:\.new)?|outbox|paddle-stand-in\.json)$/;

const { production, database, dataDir } = readConfig();
const { values } = parseArgs({ options: { yes: { type: 'boolean', default: false } } });
const names = (await readdir(dataDir).catch(() => [])).filter((name) => OURS.test(name));

if (production || database) refuse('db:reset is for development on the embedded database.');
else if (await findEmbeddedPostgres({ application: AFTERWORD, dataDir })) refuse('Afterword is running on this database. Stop it first.');
else if (names.length === 0) refuse(`Afterword has no data in ${dataDir}.`);
else if (!(values.yes || (await isConfirmed()))) refuse('To continue, type yes, or run: npm run db:reset -- --yes');
else await reset();

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`All of Afterword’s data in ${dataDir} will be deleted (${names.join(', ')}). Type yes: `);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}

async function reset(): Promise<void> {
  // As root, the database is in another folder and linked.
  const elsewhere = await readlink(path.join(dataDir, 'postgres')).catch(() => undefined);
  if (elsewhere) await rm(path.dirname(elsewhere), { recursive: true, force: true });
  for (const name of names) await rm(path.join(dataDir, name), { recursive: true, force: true });
  // Fails if it contains other files, which must stay.
  await rmdir(dataDir).catch(() => undefined);
  process.stdout.write('Deleted. The next start creates a new database.\n');
}

function refuse(reason: string): void {
  process.stderr.write(`${reason} Nothing was changed.\n`);
  process.exitCode = 1;
}

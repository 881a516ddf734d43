import { readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { AFTERWORD } from '../server/afterword.ts';
import { readConfig } from '../server/kernel/config.ts';
import { findEmbeddedPostgres } from '../server/postgres/postgres.ts';

/** `npm run db:reset`: forgets the embedded database, so that the next start begins with a fresh sample business. */
const { production, database, dataDir } = readConfig();
/** Root keeps the database elsewhere and links it. */
const elsewhere = await readlink(path.join(dataDir, 'postgres')).catch(() => undefined);

if (production || database) refuse('db:reset is for development on the embedded database.');
else if (await findEmbeddedPostgres({ application: AFTERWORD, dataDir })) refuse('Afterword runs on this database: stop it first.');
else {
  if (elsewhere) await rm(path.dirname(elsewhere), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
  process.stdout.write(`${dataDir} is gone. The next start makes a new one.\n`);
}

function refuse(reason: string): void {
  process.stderr.write(`${reason} Nothing was changed.\n`);
  process.exitCode = 1;
}

import process from 'node:process';
import { parseArgs } from 'node:util';
import { BackupError, type BackupHeader } from '../server/platform/backup/format.ts';
import { checkBackup, restoreBackup } from '../server/platform/backup/restore.ts';
import { type Config, readConfig } from '../server/platform/config/config.ts';
import { addSecret, storedSecret } from '../server/platform/secret.ts';
import { openDataDir } from '../server/start.ts';
import { fileArgument, runCommand, summaryOf, withOwner } from './backups.ts';

/** `npm run restore -- FILE`: fills an empty `DATA_DIR` or `DATABASE_URL` with a backup. */
await runCommand('Nothing was restored.', async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [config, file] = [readConfig(), fileArgument(positionals, 'npm run restore -- FILE')];
  const backup = await checkBackup(file);
  await openDataDir(config.dataDir);
  const warning = await restoreSecret(config, backup.header);
  await withOwner(config, (owner) => restoreBackup(owner, backup));
  process.stdout.write(`Restored ${summaryOf(backup.contents)}, as of ${backup.header.made}. Start Afterword with the same settings.\n`);
  if (warning) process.stdout.write(`${warning}\n`);
});

/** Stores the backup's secret with the data, unless the settings have one. Returns a warning if another secret will be used. */
async function restoreSecret(config: Config, { secret }: BackupHeader): Promise<string | undefined> {
  const current = await storedSecret(config);
  if (current?.name === secret.name) return undefined;
  if (current?.text !== undefined)
    throw new BackupError(`${config.dataDir} has a different secret than the backup. Restore into an empty DATA_DIR.`);
  if (!current && secret.text !== undefined) {
    await addSecret(config.dataDir, secret.text);
    return undefined;
  }
  return current
    ? `IDENTITY_SECRET differs from the one the backup was made with. ${LOST}`
    : `Set IDENTITY_SECRET to its value at the time of the backup. ${LOST}`;
}

const LOST =
  'With a different secret, people must sign in again, people with an authenticator app can’t sign in, queued emails aren’t sent, and webhooks need new secrets.';

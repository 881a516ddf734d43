import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import product from '../package.json' with { type: 'json' };
import { noteBackup } from '../server/admin/backup-note.ts';
import { takeBackup } from '../server/platform/backup/backup.ts';
import { BackupError } from '../server/platform/backup/format.ts';
import { readConfig } from '../server/platform/config/config.ts';
import { storedSecret } from '../server/platform/secret.ts';
import { refuseMissing } from '../server/start.ts';
import { fileArgument, log, reasonOf, runCommand, summaryOf, withOwner } from './backups.ts';

/** `npm run backup -- FILE`: writes all of Afterword's data to a file, whether or not it is running. */
await runCommand('No backup was made.', async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [config, file] = [readConfig(), fileArgument(positionals, 'npm run backup -- FILE')];
  await refuseMissing(config);
  const secret = await storedSecret(config);
  if (!secret) throw new BackupError(`${config.dataDir} has no secret. Set DATA_DIR or IDENTITY_SECRET to the values Afterword runs with.`);
  const contents = await withOwner(config, async (owner, settings) => {
    const contents = await takeBackup(owner, {
      file,
      secret,
      product: product.version,
      now: Date.now,
      onTable: (name, { rows }) => void (rows > 0 && process.stderr.isTTY && process.stderr.write(`  ${name} ${rows}\n`)),
    });
    await noteBackup(settings, { config, log, name: path.basename(file) }).catch(warnOfMissingNote);
    return contents;
  });
  process.stdout.write(`${file} contains ${summaryOf(contents)}.\n`);
  process.stdout.write(
    secret.text === undefined
      ? 'IDENTITY_SECRET isn’t in it. Store it separately; you need it to restore.\n'
      : 'It contains the installation’s secret. Store the file where no one else can read it.\n',
  );
});

/** Warns that the backup isn't recorded. The file itself is complete. */
function warnOfMissingNote(error: unknown): void {
  process.stderr.write(`${reasonOf(error)} The backup is complete, but npm run admin -- doctor won’t know about it.\n`);
}

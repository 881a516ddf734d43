import type { Logger } from 'pino';
import { recordForInstallation } from '../event/store.ts';
import type { Config } from '../platform/config/config.ts';
import { type ConnectionSettings, openDatabase } from '../platform/database/database.ts';
import { connectToMigrated } from '../platform/database/migrate.ts';
import { connectTo } from '../platform/database/primary.ts';
import { atCommandLine } from '../platform/tenancy/access.ts';

interface BackupNoteOptions {
  readonly config: Pick<Config, 'database'>;
  readonly log: Logger;
  /** The name of the backup's file. */
  readonly name: string;
}

/** Records a backup in the audit log, so that `doctor` can report its age. Throws a `DatabaseError` if the schema is another version's. */
export async function noteBackup(owner: ConnectionSettings, { config, log, name }: BackupNoteOptions): Promise<void> {
  const appUrl = config.database?.appUrl;
  const connection = await connectToMigrated({ owner, app: appUrl === undefined ? undefined : connectTo(appUrl, log) });
  const database = openDatabase({ connection, onError: (err) => log.warn({ err }) });
  try {
    await atCommandLine({ database, now: Date.now }, (scope) => recordForInstallation(scope, 'backup.taken', { subject: name, data: {} }));
  } finally {
    await database.stop();
  }
}

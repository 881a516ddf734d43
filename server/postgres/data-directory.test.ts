import { once } from 'node:events';
import { lstat, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  messageOf,
  modeOf,
  openPostgresHarness,
  type PostgresHarness,
  pgdataOf,
  postmasterPid,
  query,
} from '../../test/support/postgres/harness.ts';
import { isRoot } from './os-user.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

describe('the data directory', () => {
  it('is rejected with a plain message if it can’t be written to', async () => {
    const folder = path.dirname(await harness.dataDir({ mode: isRoot() ? 0o755 : 0o555 }));
    const child = await harness.node(path.join(folder, 'data'), isRoot() ? { uid: 65_534 } : {});
    await once(child.process, 'exit');
    expect(child.printed()).toContain(`Afterword can’t write to its data folder ${folder}/data as the user "`);
    await mkdir(path.join(folder, 'data')).catch(() => undefined);
  });
});

// Only root can switch users, so other users have nothing to test here.
if (isRoot()) {
  describe('as root', () => {
    it('runs the server as another user', async () => {
      const dataDir = await harness.dataDir();
      await harness.start(dataDir);
      expect((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid).not.toBe(0);
      expect((await lstat(pgdataOf(dataDir))).isSymbolicLink()).toBe(false);
      expect(await modeOf(dataDir)).toBe('710');
    });

    it('puts the database elsewhere if the folder is closed to others', async () => {
      const dataDir = await harness.dataDir({ mode: 0o700 });
      const server = await harness.start(dataDir);
      expect(server.connection.host).toMatch(/^\/var\/lib\/afterword\/[0-9a-f]{16}\/postgres$/);
      expect(harness.logged.join('\n')).toContain('the database is in /var/lib/afterword/');
      await query(server, 'create table note as select 7 as id');
      await server.stop();
      expect(await query(await harness.start(dataDir), 'select id from note')).toEqual([[7]]);
      await harness.cleanUp();

      const home = path.dirname(server.connection.host);
      await mkdir(dataDir, { recursive: true });
      await expect(stat(home)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('refuses to start if the database is gone', async () => {
      const dataDir = await harness.dataDir({ mode: 0o700 });
      const server = await harness.start(dataDir);
      await server.stop();
      const home = path.dirname(server.connection.host);
      await rename(home, `${home}-away`);
      expect(await messageOf(harness.start(dataDir))).toContain(`was in ${server.connection.host}, which no longer exists`);
      await rename(`${home}-away`, home);
    });
  });
}

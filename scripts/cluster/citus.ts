import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Why there is no cluster; the message is for the person at the terminal. */
export class ClusterError extends Error {}

/** The PostgreSQL that Citus is built for, in Debian's folders. */
const MAJOR = '15';
const VERSION = 'v13.0.3';
const FOLDER = `/usr/lib/postgresql/${MAJOR}`;

/** Returns the folder of a PostgreSQL that has Citus. */
export function findCitus(): string {
  if (existsSync(`/usr/share/postgresql/${MAJOR}/extension/citus.control`)) return FOLDER;
  throw new ClusterError(
    `There is no Citus for Debian’s PostgreSQL ${MAJOR}. Run: git clone --bare https://github.com/citusdata/citus && npm run cluster -- --build citus.git`,
  );
}

/** What the build needs, besides git. */
const PACKAGES =
  'postgresql-15 postgresql-server-dev-15 liblz4-dev libzstd-dev libssl-dev libxml2-dev libpam0g-dev libselinux1-dev libxslt1-dev libreadline-dev zlib1g-dev libkrb5-dev gcc make flex bison';

/** The call-home statistics are left out with libcurl. */
const BUILD = `
  source=$(mktemp -d)
  trap 'rm -rf "$source"' EXIT
  git --git-dir "$1" archive ${VERSION} | tar -x -C "$source"
  cd "$source"
  ./configure PG_CONFIG=${FOLDER}/bin/pg_config --without-libcurl
  make -j"$(nproc)" extension
  make install-extension`;

/** Builds Citus from a git directory of citusdata/citus and installs it, in about ten minutes. */
export function buildCitus(gitDir: string): void {
  const { status } = spawnSync('sh', ['-euc', BUILD, 'build', gitDir], { stdio: 'inherit' });
  if (status !== 0) throw new ClusterError(`Citus wasn’t built. It needs root and, on Debian 12: apt-get install ${PACKAGES}`);
}

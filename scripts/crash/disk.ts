import { execFile } from 'node:child_process';
import { access, constants, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

/**
 * A disk whose power can be cut: an ext4 file system on a loop device, which the kernel shuts down immediately (EXT4_IOC_SHUTDOWN
 * without flushing its log, as file systems' own crash tests do). Data and file names that weren't synced or written by the kernel are
 * lost. The next mount replays the file system's journal, as after a real cut.
 *
 * It doesn't model a disk that lies about its cache, torn sectors, or a file system that reorders more than ext4.
 */
export interface Disk {
  readonly folder: string;
  /** Writes everything to the disk, as the kernel eventually does. */
  sync(): Promise<void>;
  /** Cuts the power: nothing more is written, and every call fails. */
  cut(): Promise<void>;
  /** Mounts it again. No process may be using it. */
  restore(): Promise<void>;
  remove(): Promise<void>;
}

const SIZE = 4 * 1024 ** 3;
const UNMOUNTED_WITHIN = 30_000;
/** The interval between commits (s) exceeds a campaign's longest uptime, so nothing is written just because time has passed. */
const OPTIONS = 'loop,commit=300,noatime';
const TOOLS = ['mount', 'umount', 'mkfs.ext4', 'perl'];
/** `EXT4_IOC_SHUTDOWN` and `EXT4_GOING_FLAGS_NOLOGFLUSH` from the kernel's fs/ext4/ext4.h. In Perl, because Node has no ioctl. */
const SHUT_DOWN = '$flags = pack("L", 2); open(F, "<", $ARGV[0]) or die $!; ioctl(F, 0x8004587d, $flags) or die $!';

/** Returns why this machine can't have such a disk, or undefined if it can. */
export async function whyNoDisk(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'they need Linux and root, to mount their own disk';
  if (!(await isAccessible('/dev/loop-control'))) return 'they need a loop device (/dev/loop-control)';
  const missing = (await Promise.all(TOOLS.map(async (tool) => !(await isInstalled(tool)) && tool))).filter(Boolean);
  return missing.length > 0 ? `they need ${missing.join(', ')}` : undefined;
}

const isAccessible = (file: string, mode = constants.F_OK): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

/** Returns whether a program is in one of the system's folders. */
export async function isInstalled(tool: string): Promise<boolean> {
  const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];
  return (await Promise.all(folders.map((folder) => isAccessible(path.join(folder, tool), constants.X_OK)))).includes(true);
}

export async function openDisk(parent: string): Promise<Disk> {
  const [image, folder] = [path.join(parent, 'disk.img'), path.join(parent, 'disk')];
  const handle = await open(image, 'wx');
  await handle.truncate(SIZE);
  await handle.close();
  await run('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image]);
  await mkdir(folder);
  await mount();
  return {
    folder,
    sync: async () => void (await run('sync', ['-f', folder])),
    cut: async () => void (await run('perl', ['-e', SHUT_DOWN, folder])),
    async restore() {
      await unmount(folder);
      await mount();
    },
    remove: () => unmount(folder),
  };

  async function mount(): Promise<void> {
    await run('mount', ['-o', OPTIONS, image, folder]);
  }
}

/** Unmounts a folder once no process uses it. */
export async function unmount(folder: string): Promise<void> {
  const isUnmounted = (): Promise<boolean> =>
    run('umount', [folder]).then(
      () => true,
      () => false,
    );
  if (!(await until(isUnmounted, UNMOUNTED_WITHIN))) throw new Error(`${folder} is still in use`);
}

const run = promisify(execFile);

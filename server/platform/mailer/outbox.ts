import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { replaceFile } from '../../disk/durable-file.ts';
import { makeFolder } from '../../disk/folder.ts';
import { type Mailer, type MailSender, toMailOptions } from './message.ts';

/** Writes mails to disk, in place of a mail server. */
interface Outbox extends Mailer {
  readonly folder: string;
}

interface OutboxOptions {
  readonly from: MailSender;
  readonly dataDir: string;
  readonly now: () => number;
}

export function openOutbox({ from, dataDir, now }: OutboxOptions): Outbox {
  const folder = outboxFolder(dataDir);
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    folder,
    async send(message) {
      const { message: bytes } = await composer.sendMail({ ...toMailOptions(message, from), date: new Date(now()) });
      const stamp = new Date(now()).toISOString().replace(/[:.]/g, '-');
      // Only this user may read the mails, because they contain codes.
      await makeFolder(folder, 0o700);
      await replaceFile(path.join(folder, `${stamp}-${message.id}.eml`), { text: bytes as Buffer });
    },
    reach: async () => undefined,
    stop: () => undefined,
  };
}

export const outboxFolder = (dataDir: string): string => path.join(dataDir, 'outbox');

const NAME = /^[\dTZ-]{20,30}-[\w-]{1,80}\.eml$/;
const MOST_MAILS = 200;

/** Returns the file names of the newest mails, newest first. */
export async function outboxNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
    .slice(0, MOST_MAILS);
}

/** Returns a mail's file content, or undefined for an unknown name. */
export async function outboxMail(folder: string, name: string): Promise<string | undefined> {
  if (!NAME.test(name)) return undefined;
  return readFile(path.join(folder, name), 'utf8').catch(() => undefined);
}

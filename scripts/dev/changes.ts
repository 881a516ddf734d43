import path from 'node:path';

/** What a saved file asks for, before what it changes is seen. Vite looks after the team's pages by itself. */
export interface Need {
  /** Forms and mails, the document of the team's pages and the program behind pushes are built again; the server starts again. */
  readonly build: boolean;
  /** Pages that are open are loaded again. */
  readonly reload: boolean;
}

/** Folders whose edits ask for something. */
export const WATCHED = ['contract', 'database', 'fixtures', 'form', 'mail', 'server'];

/** Files of the team's pages that the server gives out itself. */
const GIVEN_OUT = ['dashboard/index.html', 'dashboard/push-worker.ts'];
const BUILT = /^(?:contract|form|mail)\//;
const SOURCE = /\.(?:ts|tsx|css|sql|json)$/;
/** Tests, and what editors lay beside a file while they save it. */
const BESIDE = /(?:^|\/)\.|\.test\.tsx?$/;

/** What a file asks for, named from the top of the repository; undefined where it is nothing. */
export function needOf(file: string): Need | undefined {
  const name = file.replaceAll(path.win32.sep, path.posix.sep);
  if (GIVEN_OUT.includes(name)) return { build: true, reload: true };
  const [folder = ''] = name.split('/');
  if (!WATCHED.includes(folder) || !SOURCE.test(name) || BESIDE.test(name)) return undefined;
  return { build: BUILT.test(name), reload: false };
}

/* Everything of an account as one archive: a file of JSON lines for each kind of record, and a text that explains them. */

/** The files of an archive in their order, each with what it holds. */
const ARCHIVE_FILES = {
  account: 'The business: its name, and what it is signed up for.',
  users: 'The people of the team.',
  properties: 'The places, also deleted ones; those have `deleted`.',
  forms: 'Every version of every form, with who saved it.',
  placements: 'Where places collect feedback, also deleted ones; those have `deleted`.',
  tags: 'The words that feedback is tagged with.',
  feedback: 'What visitors said, with their contacts: also what was set aside, tests, and what belongs to deleted places.',
  comments: 'What the team said about feedback.',
  messages: 'What the team told those who run the installation, without screenshots.',
  openings: 'How often each form was opened on each day (UTC).',
  events: 'What happened, and who did it.',
  // At the end: an archive that is being written knows its place in this order.
  views: 'Filters of feedback that people have named, with whose they are.',
  webhooks: 'The addresses that hear of what happens, without their secrets.',
} as const;
export type ArchiveFile = keyof typeof ARCHIVE_FILES;
export const ARCHIVE_ORDER = Object.keys(ARCHIVE_FILES) as ArchiveFile[];

export const README_NAME = 'README.txt';

/** A file's name in the archive. A large one is continued in others. */
export const archiveFileName = (file: ArchiveFile, part: number): string => (part === 1 ? `${file}.jsonl` : `${file}-${part}.jsonl`);

/** A record as a line of its file. */
export const archiveLine = (record: object): string => `${JSON.stringify(record)}\n`;

/** What is in the archive, for whoever opens it years later. `at` is UTC ms. */
export const archiveReadme = ({ name, at, site }: { readonly name: string; readonly at: number; readonly site: string }): string =>
  [
    `Everything of ${name} in Afterword`,
    '',
    `Asked for at ${new Date(at).toISOString()} from ${site}`,
    '',
    'Each file has one record on each line, as JSON in UTF-8. Moments are milliseconds since 1970 in UTC. Records name each other by',
    'their ids; feedback names its property as projectId. What was changed while this was written may be in it as before or as after.',
    `The API's documentation explains every field: ${site}/docs`,
    '',
    ...ARCHIVE_ORDER.map((file) => `${archiveFileName(file, 1)}: ${ARCHIVE_FILES[file]}`),
    '',
    'A file that would be larger than a gigabyte goes on in another one: feedback-2.jsonl.',
    'This archive holds names, addresses, phone numbers and emails. Keep it safe.',
    '',
  ].join('\r\n');

/* The archive of an account: a file of JSON lines for each kind of record, and a README that explains them. */

/** The files of an archive in order, each with its description. */
const ARCHIVE_FILES = {
  account: 'The business: its name and its subscription.',
  users: 'The people on the team.',
  properties: 'Properties, including deleted ones, which have `deleted`.',
  forms: 'Every version of every form, with who saved it.',
  placements: 'Placements, including deleted ones, which have `deleted`.',
  tags: 'Tags of feedback.',
  feedback: 'Visitors’ feedback with contacts, including suspected feedback, tests, and feedback of deleted properties.',
  comments: 'The team’s comments on feedback.',
  messages: 'Messages to the operators, without screenshots.',
  openings: 'Form openings per day (UTC).',
  events: 'Events, and who caused them.',
  // Add new files at the end: a running export stores its position in this order.
  views: 'Saved views, with their owners.',
  webhooks: 'Webhooks, without their secrets.',
  kiosks: 'Kiosks, without their PINs.',
  brand: 'The logo and colors of your pages for visitors.',
  replies: 'Saved replies.',
  conversations: 'Private messages between visitors and the team. Those without an author are a visitor’s.',
  requests: 'Emails that asked customers for feedback.',
  suppressions: 'Addresses that are never asked for feedback.',
  topics: 'Topics with their phrases.',
} as const;
export type ArchiveFile = keyof typeof ARCHIVE_FILES;
export const ARCHIVE_ORDER = Object.keys(ARCHIVE_FILES) as ArchiveFile[];

export const README_NAME = 'README.txt';

/** Returns a file's name in the archive. A large file continues in numbered parts. */
export const archiveFileName = (file: ArchiveFile, part: number): string => (part === 1 ? `${file}.jsonl` : `${file}-${part}.jsonl`);

export const archiveLine = (record: object): string => `${JSON.stringify(record)}\n`;

/** Returns the README of an archive, written for someone who opens it years later. `at` is UTC ms. */
export const archiveReadme = ({ name, at, site }: { readonly name: string; readonly at: number; readonly site: string }): string =>
  [
    `All data of ${name} in Afterword`,
    '',
    `Requested at ${new Date(at).toISOString()} from ${site}`,
    '',
    'Each file has one record on each line, as JSON in UTF-8. Times are milliseconds since 1970, UTC. Records refer to each other by',
    'id; in feedback, projectId is the property. Records that changed during the export may be in their old or new version.',
    `The API's documentation explains every field: ${site}/docs`,
    '',
    ...ARCHIVE_ORDER.map((file) => `${archiveFileName(file, 1)}: ${ARCHIVE_FILES[file]}`),
    '',
    'A file over a gigabyte continues in the next: feedback-2.jsonl.',
    'This archive holds names, addresses, phone numbers and emails. Keep it safe.',
    '',
  ].join('\r\n');

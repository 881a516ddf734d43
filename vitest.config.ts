import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What these see depends on how soon a process is served, so little else runs meanwhile. */
const ALONE = [
  'server/feedback/search.test.ts',
  ...['secrets/codes', 'sessions/sign-in'].map((name) => `server/identity/pool/${name}.test.ts`),
  ...['jobs/jobs', 'database/stalled-connections'].map((name) => `server/platform/${name}.test.ts`),
  'server/postgres/cluster.test.ts',
];

/** Pure functions, which need no database. */
const POLICY = 'server/notification/policy/*.test.ts';

/** The files that take longest, longest first: one that begins late would be waited for by the other core. */
const LONGEST = [
  ...['feed', 'sign-up', 'cognito', 'screens', 'dashboard', 'form-states', 'frames', 'team', 'visit', 'people', 'form'].map(
    (name) => `e2e/${name}.test.ts`,
  ),
  ...[
    'platform/tenancy/tenants',
    'notification/alerts/alerts',
    'platform/http/sockets',
    'notification/push/pushes',
    'postgres/restart',
    'notification/mail/mails',
  ].map((name) => `server/${name}.test.ts`),
  'test/scenarios/scenarios.test.ts',
  ...['export/export', 'platform/database/primary', 'user/user', 'postgres/startup'].map((name) => `server/${name}.test.ts`),
  ...['identity/pool/limits/throttle', 'killed-worker'].map((name) => `server/${name}.test.ts`),
  ...['commands', 'dev'].map((name) => `scripts/${name}.test.ts`),
];

const missing = [...ALONE, ...LONGEST].filter((name) => !existsSync(path.join(import.meta.dirname, name)));
if (missing.length > 0) throw new Error(`vitest.config.ts lists test files that do not exist: ${missing.join(', ')}`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId === path.join(import.meta.dirname, name));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** These limits only end what hangs: about ten times what the work takes on a quiet machine. */
const PATIENT = { poll: { timeout: 60_000 } };
const [LONGEST_TEST, LONGEST_HOOK] = [180_000, 240_000];

/**
 * Files follow one another in one process: what each would load anew is a third of the work. None of them changes what the others see,
 * and nothing in the product is kept in a module.
 */
const TOGETHER = { isolate: false };

const room = {
  ...TOGETHER,
  globalSetup: ['test/support/global.ts'],
  testTimeout: LONGEST_TEST,
  hookTimeout: LONGEST_HOOK,
  expect: PATIENT,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'rules',
          include: [
            'contract/**/*.test.ts',
            'form/**/*.test.ts',
            'mail/**/*.test.ts',
            'dashboard/**/*.test.ts',
            'test/architecture/*.test.ts',
            'scripts/**/*.test.ts',
            'stand-ins/**/*.test.ts',
            POLICY,
          ],
          testTimeout: LONGEST_TEST,
          ...TOGETHER,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'rooms',
          include: ['server/**/*.test.ts', 'test/scenarios/*.test.ts'],
          exclude: [...ALONE, POLICY],
          ...room,
          // Each file has a database of its own; much of what they do is waiting.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'rooms-alone',
          include: ALONE,
          ...room,
          // One for each core, and no more.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'journeys',
          ...TOGETHER,
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['test/support/global.ts'],
          testTimeout: LONGEST_TEST,
          hookTimeout: LONGEST_HOOK,
          expect: PATIENT,
          // Each has a server, a database and a browser of its own; half of the time they wait.
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});

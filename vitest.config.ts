import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENT } from './test/support/patience.ts';

/** Tests that depend on timing, so little else runs at the same time. */
const ALONE = [
  'server/feedback/search.test.ts',
  ...['secrets/codes', 'sessions/sign-in'].map((name) => `server/identity/pool/${name}.test.ts`),
  ...['jobs/jobs', 'database/stalled-connections'].map((name) => `server/platform/${name}.test.ts`),
  'server/postgres/cluster.test.ts',
];

/** Pure functions, which need no database. */
const POLICY = 'server/notification/policy/*.test.ts';

/** The slowest files, slowest first, because the run would wait for one that starts late. */
const LONGEST = [
  ...['look/layout', 'look/screens', 'account/team-language', 'visitor/kiosk', 'sign-in/cognito'].map((name) => `e2e/${name}.test.ts`),
  ...['look/dashboard', 'visitor/languages', 'feedback/feed', 'visitor/requests', 'account/share'].map((name) => `e2e/${name}.test.ts`),
  ...['visitor/conversation', 'sign-in/sign-in', 'sign-in/sign-up'].map((name) => `e2e/${name}.test.ts`),
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
  ...['commands', 'dev/dev'].map((name) => `scripts/${name}.test.ts`),
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

/** A test or a hook may wait several times. */
const TEST_TIMEOUT = 3 * PATIENT.timeout;

/**
 * Files share a process, because loading modules again is a third of the work. Tests clean up after themselves, and the product keeps no
 * state in module scope.
 */
const TOGETHER = { isolate: false };

const withDatabase = {
  ...TOGETHER,
  globalSetup: ['test/support/global.ts'],
  testTimeout: TEST_TIMEOUT,
  hookTimeout: TEST_TIMEOUT,
  expect: { poll: PATIENT },
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
          testTimeout: TEST_TIMEOUT,
          hookTimeout: TEST_TIMEOUT,
          expect: { poll: PATIENT },
          ...TOGETHER,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'modules',
          include: ['server/**/*.test.ts', 'test/scenarios/*.test.ts'],
          exclude: [...ALONE, POLICY],
          ...withDatabase,
          // Each file has its own database, and mostly waits.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'modules-alone',
          include: ALONE,
          ...withDatabase,
          // One per core.
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
          testTimeout: TEST_TIMEOUT,
          hookTimeout: TEST_TIMEOUT,
          expect: { poll: PATIENT },
          // Each has its own server, database and browser, and waits half of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

/** What these see depends on how soon a process is served, so nothing else runs meanwhile. */
const ALONE = [
  'server/feedback/search.test.ts',
  'server/identity/pool/{codes,sign-in,throttle}.test.ts',
  'server/kernel/{jobs,stalled-connections}.test.ts',
  'server/postgres/cluster.test.ts',
];

/** A wait ends when what it waits for is there; how long that takes is the machine’s affair. */
const PATIENT = { poll: { timeout: 10_000 } };

const room = { globalSetup: ['test/support/global.ts'], testTimeout: 30_000, hookTimeout: 60_000, expect: PATIENT };

export default defineConfig({
  test: {
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
          ],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'rooms',
          include: ['server/**/*.test.ts', 'test/scenarios/*.test.ts'],
          exclude: ALONE,
          ...room,
          // Each file has a database of its own; much of what they do is waiting.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'rooms-alone',
          include: ALONE,
          ...room,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['test/support/global.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: PATIENT,
          // Each has a server, a database and a browser of its own; half of the time they wait.
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});

import { expect, it } from 'vitest';
import { needOf } from './changes.ts';
import { takeTurns } from './turns.ts';

it('a saved file asks for what it is a part of, and for nothing more', () => {
  const restart = { build: false, reload: false };
  for (const file of ['server/site.ts', 'server\\site.ts', 'database/migrations/0001_first.sql', 'fixtures/cast.ts'])
    expect(needOf(file)).toEqual(restart);
  for (const file of ['form/form.css', 'form/Form.tsx', 'mail/mails.ts', 'contract/form.ts'])
    expect(needOf(file)).toEqual({ ...restart, build: true });
  for (const file of ['dashboard/index.html', 'dashboard/push-worker.ts']) expect(needOf(file)).toEqual({ build: true, reload: true });
});

it.each([
  ['is Vite’s', 'dashboard/ui/Wordmark.tsx'],
  ['is a test', 'server/site.test.ts'],
  ['lies beside what an editor saves', 'server/site.ts~'],
  ['is hidden', 'server/.site.ts.swp.ts'],
  ['is no source', 'server/notes.txt'],
  ['is of no watched folder', 'scripts/build.ts'],
])('a file that %s asks for nothing', (_what, file) => {
  expect(needOf(file)).toBeUndefined();
});

it('what comes in one go is one turn, what comes meanwhile is one more, and none begins after the end', async () => {
  const taken: (readonly string[])[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const turns = takeTurns<string>(async (changes) => {
    taken.push(changes);
    await gate;
  }, 0);
  turns.add('one');
  turns.add('two');
  await expect.poll(() => taken).toEqual([['one', 'two']]);
  turns.add('three');
  turns.add('four');
  open();
  await expect
    .poll(() => taken)
    .toEqual([
      ['one', 'two'],
      ['three', 'four'],
    ]);
  turns.add('five');
  await turns.stop();
  expect(taken).toHaveLength(2);
});

import { expect, it } from 'vitest';
import { createLimiter } from './limiter.ts';

class Full extends Error {}

it('runs a few at a time in order, queues some, and refuses the rest', async () => {
  const limiter = createLimiter({ atOnce: 4, waiting: 50, full: () => new Full() });
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) =>
    limiter.run(
      () =>
        new Promise<number>((resolve) => {
          started.push(index);
          ends.push(() => resolve(index));
        }),
    );
  const results = Array.from({ length: 54 }, (_, index) => work(index));
  await expect(work(54)).rejects.toBeInstanceOf(Full);
  expect(started).toEqual([0, 1, 2, 3]);
  for (let done = 0; done < 54; done += 1) {
    ends[done]?.();
    expect(await results[done]).toBe(done);
  }
  expect(started).toEqual(Array.from({ length: 54 }, (_, index) => index));
});

it('continues after failed work', async () => {
  const limiter = createLimiter({ atOnce: 1, waiting: 1, full: () => new Full() });
  const [first, second] = [limiter.run(() => Promise.reject(new Error('no'))), limiter.run(async () => 'done')];
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe('done');
  expect(await limiter.run(async () => 'again')).toBe('again');
});

it('refuses work that waited too long, but not the work queued after it', async () => {
  const limiter = createLimiter({ atOnce: 1, waiting: 2, waitTimeout: 5, full: () => new Full() });
  const ends: (() => void)[] = [];
  const first = limiter.run(() => new Promise<void>((resolve) => void ends.push(resolve)));
  await expect(limiter.run(async () => 'late')).rejects.toBeInstanceOf(Full);
  const queued = limiter.run(async () => 'done');
  ends[0]?.();
  await first;
  expect(await queued).toBe('done');
  expect(await limiter.run(async () => 'again')).toBe('again');
});

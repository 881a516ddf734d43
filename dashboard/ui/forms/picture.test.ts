import { describe, expect, it } from 'vitest';
import { fitWithin } from './picture.ts';

describe('a picture to send', () => {
  it('is scaled down to fit, in proportion', () => {
    expect(fitWithin(4000, 3000, 512)).toEqual({ width: 512, height: 384 });
    expect(fitWithin(300, 1200, 512)).toEqual({ width: 128, height: 512 });
  });

  it('is never enlarged, and has at least one pixel', () => {
    expect(fitWithin(64, 32, 512)).toEqual({ width: 64, height: 32 });
    expect(fitWithin(20_000, 1, 512)).toEqual({ width: 512, height: 1 });
  });
});

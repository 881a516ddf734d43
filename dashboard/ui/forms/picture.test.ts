import { describe, expect, it } from 'vitest';
import { fitted } from './picture.ts';

describe('a picture to send', () => {
  it('keeps its shape and fits', () => {
    expect(fitted(4000, 3000, 512)).toEqual({ width: 512, height: 384 });
    expect(fitted(300, 1200, 512)).toEqual({ width: 128, height: 512 });
  });

  it('is never made larger, nor nothing', () => {
    expect(fitted(64, 32, 512)).toEqual({ width: 64, height: 32 });
    expect(fitted(20_000, 1, 512)).toEqual({ width: 512, height: 1 });
  });
});

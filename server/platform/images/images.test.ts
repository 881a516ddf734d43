import fc from 'fast-check';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { nestedDrawing, solidPicture } from '../../../test/support/hostile-pictures.ts';
import { openPatientPictures } from '../../../test/support/pictures.ts';
import { sizeOf } from './header.ts';
import type { Pictures } from './images.ts';

let pictures: Pictures;
afterEach(() => pictures?.stop());

const KINDS = ['png', 'jpeg', 'webp'] as const;
const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#3d4cc2' } });
const dataUrl = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;

describe('the header of a picture', () => {
  it('has the size that the decoder reads', async () => {
    const side = fc.integer({ min: 1, max: 700 });
    await fc.assert(
      fc.asyncProperty(side, side, fc.constantFrom(...KINDS), fc.boolean(), async (width, height, kind, isOther) => {
        const options = { png: { progressive: isOther }, jpeg: { progressive: isOther }, webp: { lossless: isOther } }[kind];
        const image = plain(width, height).withExif({ IFD0: { Copyright: 'x'.repeat(isOther ? 900 : 1) } });
        expect(sizeOf(await image.toFormat(kind, options).toBuffer())).toEqual({ width, height });
        expect(sizeOf(await plain(width, height).toFormat(kind, options).toBuffer())).toEqual({ width, height });
      }),
      { numRuns: 40 },
    );
  });

  it('is not found in other files', async () => {
    const others = ['gif', 'tiff', 'avif'] as const;
    for (const kind of others) expect(sizeOf(await plain(8, 8).toFormat(kind).toBuffer())).toBeUndefined();
    for (const text of ['', '<svg/>', '%PDF-1.7', 'RIFF....WAVEfmt ', 'GIF89a', '\x89PNG\r\n\x1a\n']) {
      expect(sizeOf(Buffer.from(text, 'latin1'))).toBeUndefined();
    }
  });

  it('may be damaged or cut off anywhere', async () => {
    const heads = await Promise.all(KINDS.map((kind) => plain(9, 9).toFormat(kind).toBuffer()));
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.nat(60), fc.uint8Array({ maxLength: 80 }), (head, length, rest) => {
        const size = sizeOf(Buffer.concat([head.subarray(0, length), rest]));
        expect(size === undefined || (size.width >= 0 && size.height >= 0)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a picture', () => {
  it.each(KINDS)('in %s is re-encoded', async (kind) => {
    pictures = openPatientPictures();
    const result = await pictures.square(dataUrl(await plain(300, 200).toFormat(kind).toBuffer()), 'sam');
    const bytes = Buffer.from(('drawn' in result ? result.drawn : '').replace('data:image/webp;base64,', ''), 'base64');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 });
  });

  it('is recognized by its header, and not decoded if it is another file or too large', async () => {
    // Decoding always exceeds this time limit, so any other fault comes without decoding.
    pictures = openPatientPictures({ time: 1 });
    expect(await pictures.square(nestedDrawing(), 'sam')).toEqual({ fault: 'no picture' });
    expect(await pictures.square(await solidPicture(2_049), 'sam')).toEqual({ fault: 'too large' });
    expect(await pictures.square(dataUrl(await plain(8_193, 1).png().toBuffer()), 'sam')).toEqual({ fault: 'too large' });
  });

  it('with an intact header only is refused', async () => {
    pictures = openPatientPictures();
    const header = (await plain(300, 200).png().toBuffer()).subarray(0, 33);
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect(await pictures.square(dataUrl(header), 'sam')).toEqual({ fault: 'no picture' });
    expect(await pictures.square(dataUrl(Buffer.concat([header, drawing])), 'sam')).toEqual({ fault: 'no picture' });
  });

  it.each([
    ['time', { time: 1 }],
    ['memory', { memory: 1 }],
  ])('that takes too much %s is refused, and the next one is drawn', async (_name, limits) => {
    pictures = openPatientPictures(limits);
    const picture = await solidPicture(2_048);
    expect(await pictures.square(picture, 'sam')).toEqual({ fault: 'too heavy' });
    pictures.stop();
    pictures = openPatientPictures();
    expect(await pictures.square(picture, 'sam')).toHaveProperty('drawn');
  });

  it('is refused while the machine is too busy to draw it, and the next one is drawn', async () => {
    pictures = openPatientPictures({ patience: 1 });
    const picture = dataUrl(await plain(30, 20).png().toBuffer());
    await expect(pictures.square(picture, 'sam')).rejects.toMatchObject({ code: 'overloaded' });
    pictures.stop();
    pictures = openPatientPictures();
    expect(await pictures.square(picture, 'sam')).toHaveProperty('drawn');
  });

  it('waits for the previous one, and is refused if too many wait or its sender has another', async () => {
    pictures = openPatientPictures({ waiting: 2 });
    const picture = dataUrl(await plain(30, 20).png().toBuffer());
    const answers = await Promise.allSettled(['sam', 'sam', 'dana', 'noor', 'kim', 'sam'].map((by) => pictures.square(picture, by)));
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? 'drawn' : answer.reason.code))).toEqual([
      'drawn',
      'too-many',
      'drawn',
      'drawn',
      'overloaded',
      'too-many',
    ]);
    expect(await pictures.square(picture, 'sam')).toHaveProperty('drawn');
  });

  it('is refused when the product stops', async () => {
    pictures = openPatientPictures();
    const drawing = pictures.square(await solidPicture(2_048), 'sam');
    pictures.stop();
    await expect(drawing).rejects.toMatchObject({ code: 'overloaded' });
  });
});

it('a logo keeps the color of its translucent parts, on pages and in mails', async () => {
  pictures = openPatientPictures();
  const background = { r: 200, g: 80, b: 20, alpha: 0.5 };
  const file = await sharp({ create: { width: 600, height: 200, channels: 4, background } })
    .png()
    .toBuffer();
  const logo = await pictures.logo(dataUrl(file), 'a');
  if ('fault' in logo) throw new Error(logo.fault);
  for (const { picture } of [logo.page, logo.mail]) {
    const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
    const pixel = [...(await sharp(bytes).ensureAlpha().raw().toBuffer()).subarray(0, 4)];
    for (const [index, value] of [200, 80, 20, 128].entries()) expect(Math.abs((pixel[index] ?? 0) - value)).toBeLessThan(8);
  }
});

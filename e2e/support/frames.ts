import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { PHONE, settled } from './journey.ts';

/** What the screen showed at a moment, as the browser painted it. */
export interface Frame {
  /** Since the first one (ms). */
  readonly at: number;
  readonly jpeg: Buffer;
  /** Mean of all its pixels, 0 black to 255 white. */
  readonly lightness: number;
}

/** Returns every frame that is painted while `work` runs, and until nothing loads or moves. */
export async function framesOf(page: Page, work: () => Promise<unknown>, name: string): Promise<Frame[]> {
  const seen: { timestamp: number; data: Buffer }[] = [];
  const { width, height } = page.viewportSize() ?? PHONE;
  // Half the size is quicker, and shows as much.
  const size = { width: width / 2, height: height / 2 };
  await page.screencast.start({ onFrame: (frame) => seen.push(frame), fps: 60, quality: 60, size });
  await work();
  await settled(page);
  await painted(page);
  await page.screencast.stop();
  const began = seen[0]?.timestamp ?? 0;
  const lightness = await lightnessOf(
    page,
    seen.map(({ data }) => data),
  );
  const frames = seen.map(({ timestamp, data }, place) => ({
    at: timestamp - began,
    jpeg: data,
    lightness: lightness[place] ?? Number.NaN,
  }));
  await keep(frames, name);
  return frames;
}

/** Waits until the browser has painted the page as it is now. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Measured in a page of its own, which no policy of the product's binds. */
async function lightnessOf(page: Page, pictures: readonly Buffer[]): Promise<number[]> {
  const bench = await page.context().newPage();
  const measured = await bench.evaluate(
    async (encoded) => {
      const means: number[] = [];
      for (const each of encoded) {
        const image = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${each}`)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        canvas?.drawImage(image, 0, 0);
        const pixels = canvas?.getImageData(0, 0, image.width, image.height).data ?? [];
        let sum = 0;
        for (let place = 0; place < pixels.length; place += 4)
          sum += (pixels[place] ?? 0) + (pixels[place + 1] ?? 0) + (pixels[place + 2] ?? 0);
        means.push(sum / (pixels.length / 4) / 3);
      }
      return means;
    },
    pictures.map((picture) => picture.toString('base64')),
  );
  await bench.close();
  return measured;
}

/** For people to look at, where SCREENSHOTS names a folder. */
async function keep(frames: readonly Frame[], name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  await Promise.all(
    frames.map(({ at, jpeg }) =>
      writeFile(path.join(folder, `${name.replaceAll('/', '_')} ${String(Math.round(at)).padStart(5, '0')}.jpg`), jpeg),
    ),
  );
}

/** What a part of the page says while something is done without leaving the document: each text once, in order, as animation frames see it. */
export async function textsOf(page: Page, part: string, work: () => Promise<unknown>): Promise<string[]> {
  const watched = await page.evaluateHandle((selector) => {
    const texts: string[] = [];
    const look = (): void => {
      const text = document.querySelector<HTMLElement>(selector)?.innerText.trim() ?? '';
      if (texts.at(-1) !== text) texts.push(text);
      requestAnimationFrame(look);
    };
    look();
    return texts;
  }, part);
  await work();
  return watched.jsonValue();
}

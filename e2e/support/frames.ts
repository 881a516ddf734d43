import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { PHONE, settled } from './journey.ts';

/** One frame that the browser painted. */
export interface Frame {
  /** Time since the first frame (ms). */
  readonly at: number;
  readonly jpeg: Buffer;
  /** The mean of all pixels, from 0 (black) to 255 (white). */
  readonly lightness: number;
}

/** Returns every frame that is painted while `work` runs, and until nothing loads or moves. */
export async function framesOf(page: Page, work: () => Promise<unknown>, name: string): Promise<Frame[]> {
  const captured: { timestamp: number; data: Buffer }[] = [];
  const { width, height } = page.viewportSize() ?? PHONE;
  // Half the size is quicker, and shows the theme as well.
  const size = { width: width / 2, height: height / 2 };
  await page.screencast.start({ onFrame: (frame) => captured.push(frame), fps: 60, quality: 60, size });
  await work();
  await settled(page);
  await painted(page);
  await page.screencast.stop();
  const start = captured[0]?.timestamp ?? 0;
  const lightness = await lightnessOf(
    page,
    captured.map(({ data }) => data),
  );
  const frames = captured.map(({ timestamp, data }, place) => ({
    at: timestamp - start,
    jpeg: data,
    lightness: lightness[place] ?? Number.NaN,
  }));
  await save(frames, name);
  return frames;
}

/** Waits until the browser has painted the page as it is now. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Returns the lightness of each picture, measured in a blank page without the product's content policy. */
async function lightnessOf(page: Page, pictures: readonly Buffer[]): Promise<number[]> {
  const bench = await page.context().newPage();
  const lightness = await bench.evaluate(
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
  return lightness;
}

/** Saves the frames in the folder named by SCREENSHOTS, if any. */
async function save(frames: readonly Frame[], name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  await Promise.all(
    frames.map(({ at, jpeg }) =>
      writeFile(path.join(folder, `${name.replaceAll('/', '_')} ${String(Math.round(at)).padStart(5, '0')}.jpg`), jpeg),
    ),
  );
}

/** Returns the successive texts of a part of the page while `work` runs, sampled at each animation frame within one document. */
export async function textsOf(page: Page, part: string, work: () => Promise<unknown>): Promise<string[]> {
  const texts = await page.evaluateHandle((selector) => {
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
  // The last text is read in the frame after it changed.
  await painted(page);
  return texts.jsonValue();
}

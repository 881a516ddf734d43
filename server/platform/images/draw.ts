/*
 * A program: draws each picture that it is sent anew, as a small square or to fit a screen, and sends that back, or null
 * where it was no picture. It stands in a process of its own, because what decodes strangers' files may take long, take memory, or break.
 */
import sharp from 'sharp';
import type { Shape } from './images.ts';

/** The side of a picture that is kept (px). */
const SIDE = 128;
/** The longest side of a screenshot that is kept (px). */
const SCREEN = 1_600;
const WATCH_EVERY = 25;
const [mostPixels, mostMemory] = process.argv.slice(2).map(Number);

watch();
setInterval(watch, WATCH_EVERY).unref();
process.on('disconnect', end);

/** Ends before it takes the machine's memory. */
function watch(): void {
  if (process.memoryUsage.rss() > (mostMemory ?? 0)) end();
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] });

process.on('message', async ({ picture, shape }: { picture: Uint8Array; shape: Shape }) => {
  const drawn = await draw(picture, shape).catch(() => null);
  process.send?.(drawn);
});

function draw(picture: Uint8Array, shape: Shape): Promise<Uint8Array> {
  const read = sharp(picture, { limitInputPixels: mostPixels ?? 0, failOn: 'error' }).rotate();
  const drawn =
    shape === 'square'
      ? read.resize(SIDE, SIDE, { fit: 'cover' })
      : read.resize(SCREEN, SCREEN, { fit: 'inside', withoutEnlargement: true });
  return drawn.webp({ quality: 80 }).toBuffer();
}

/*
 * A program that re-encodes each picture it receives, as a small square or to fit a screen, and sends back the result, or null if it
 * wasn't a picture. It runs in its own process, because decoding strangers' files may be slow, use much memory, or crash.
 */
import sharp from 'sharp';
import type { Shape } from './drawing-program.ts';

/** Side of a square picture (px). */
const SIDE = 128;
/** Longest side of a screenshot (px). */
const SCREEN = 1_600;
const WATCH_EVERY = 25;
const [mostPixels, mostMemory] = process.argv.slice(2).map(Number);

watch();
setInterval(watch, WATCH_EVERY).unref();
process.on('disconnect', end);

/** Ends the process before it uses up the machine's memory. */
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
  process.send?.(await draw(picture, shape).catch(() => null));
});

function draw(picture: Uint8Array, shape: Shape): Promise<Uint8Array> {
  const image = sharp(picture, { limitInputPixels: mostPixels ?? 0, failOn: 'error' }).rotate();
  const resized =
    shape === 'square'
      ? image.resize(SIDE, SIDE, { fit: 'cover' })
      : image.resize(SCREEN, SCREEN, { fit: 'inside', withoutEnlargement: true });
  return resized.webp({ quality: 80 }).toBuffer();
}

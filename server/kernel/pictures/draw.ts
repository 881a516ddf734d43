/*
 * A program: draws each picture that it is sent anew as a small square, and sends that back, or null where it was no
 * picture. It stands in a process of its own, because what decodes strangers' files may take long, take memory, or break.
 */
import sharp from 'sharp';

/** The side of a picture that is kept (px). */
const SIDE = 128;
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

process.on('message', async (picture: Uint8Array) => {
  const drawn = await square(picture).catch(() => null);
  process.send?.(drawn);
});

function square(picture: Uint8Array): Promise<Uint8Array> {
  return sharp(picture, { limitInputPixels: mostPixels ?? 0, failOn: 'error' })
    .rotate()
    .resize(SIDE, SIDE, { fit: 'cover' })
    .webp({ quality: 80 })
    .toBuffer();
}

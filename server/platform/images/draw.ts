/*
 * A program that re-encodes each picture it receives, as a small square, to fit a screen or as a logo, and sends back the result, or
 * null if it wasn't a picture. A logo has a second result, for mails. It runs in its own process, because decoding strangers' files may
 * be slow, use much memory, or crash.
 */
import { constants, setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { LOGO_SIZE } from '#contract/brand/look.ts';
import type { Shape } from './drawing-program.ts';

/** Side of a square picture (px). @limit picture */
const SIDE = 128;
/** Longest side of a screenshot (px). @limit picture */
const SCREEN = 1_600;
/** The most bytes of a logo, which are 3 kB as a data URL, and the sizes and qualities to try. */
const LOGO = { bytes: 2_280, scales: [1, 0.6, 0.35], qualities: [75, 35] } as const;
/** Colors of a logo's picture for mails, few enough for at most 45 kB. @limit logos */
const MAIL_LOGO_COLORS = 128;

const WATCH_EVERY = 25;
const [mostPixels = 0, mostMemory = 0, mostTime = 0] = process.argv.slice(2).map(Number);
/** The processor time until the current picture. */
let before = process.cpuUsage();

yieldToRequests();
watch();
setInterval(watch, WATCH_EVERY).unref();
process.on('disconnect', end);

/** Lowers this program's priority once it has started: at that priority, a busy machine would hardly start it. */
function yieldToRequests(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // This system has no priorities.
  }
}

/** Ends the process before it uses up the machine's memory or processor. */
function watch(): void {
  const { user, system } = process.cpuUsage(before);
  if (process.memoryUsage.rss() > mostMemory || (user + system) / 1000 > mostTime) end();
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] });

process.on('message', async ({ picture, shape }: { picture: Uint8Array; shape: Shape }) => {
  before = process.cpuUsage();
  const files = await draw(picture, shape).catch(() => null);
  watch();
  process.send?.(files);
});

async function draw(picture: Uint8Array, shape: Shape): Promise<Uint8Array[]> {
  const image = sharp(picture, { limitInputPixels: mostPixels, failOn: 'error' }).rotate();
  if (shape === 'logo') {
    // Decoded once, because each try would decode the whole file again.
    const { data, info } = await fitLogo(image, 1).raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    // Not `info` itself, whose `premultiplied` means something else and would brighten translucent parts.
    const logo = () => sharp(data, { raw: { width, height, channels } });
    return [await drawLogo(logo), await logo().png({ palette: true, colours: MAIL_LOGO_COLORS, effort: 1 }).toBuffer()];
  }
  const resized =
    shape === 'square'
      ? image.resize(SIDE, SIDE, { fit: 'cover' })
      : image.resize(SCREEN, SCREEN, { fit: 'inside', withoutEnlargement: true });
  return [await resized.webp({ quality: 80 }).toBuffer()];
}

/** Draws a picture as large and as well as its bytes allow. The last try may be too large. */
async function drawLogo(logo: () => Sharp): Promise<Uint8Array> {
  const tries = LOGO.scales.flatMap((scale) => LOGO.qualities.map((quality) => ({ scale, quality })));
  let drawn = new Uint8Array();
  for (const { scale, quality } of tries) {
    drawn = await fitLogo(logo(), scale).webp({ quality }).toBuffer();
    if (drawn.length <= LOGO.bytes) break;
  }
  return drawn;
}

function fitLogo(image: Sharp, scale: number): Sharp {
  const [width, height] = [LOGO_SIZE.width, LOGO_SIZE.height].map((side) => Math.round(side * LOGO_SIZE.dots * scale));
  return image.resize(width, height, { fit: 'inside', withoutEnlargement: true });
}

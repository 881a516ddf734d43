/** Returns a size that fits, in proportion and never enlarged. */
export function fitWithin(width: number, height: number, longest: number): { width: number; height: number } {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

interface PictureLimits {
  /** The longest side (px). The server shrinks it further. */
  readonly longest: number;
  /** The most characters of its data URL. */
  readonly most: number;
  /** Keeps transparent parts. Others become white, in a smaller file. */
  readonly keepsTransparency?: boolean;
}

/** The smallest useful side (px), and the factor by which a too large picture shrinks at a time. */
const [SMALLEST, STEP] = [320, 0.8];

/** Redraws a file small enough to send, which also drops its metadata. Returns a data URL, or undefined if it is no picture. */
export async function readPicture(file: Blob, { longest, most, keepsTransparency = false }: PictureLimits): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  let side = longest;
  const draw = keepsTransparency ? drawTransparent : drawOpaque;
  let url = draw(bitmap, side);
  for (; url !== undefined && url.length > most && side * STEP >= SMALLEST; url = draw(bitmap, side)) side *= STEP;
  bitmap.close();
  return url;
}

/** Draws a JPEG on white, because transparent parts would turn black. */
const drawOpaque = (bitmap: ImageBitmap, longest: number): string | undefined =>
  drawOn('#ffffff', bitmap, longest)?.toDataURL('image/jpeg', 0.85);

/** Draws a WebP; a PNG in browsers that can't encode WebP. */
const drawTransparent = (bitmap: ImageBitmap, longest: number): string | undefined =>
  drawOn('transparent', bitmap, longest)?.toDataURL('image/webp', 0.9);

function drawOn(background: string, bitmap: ImageBitmap, longest: number): HTMLCanvasElement | undefined {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) return undefined;
  Object.assign(canvas, fitWithin(bitmap.width, bitmap.height, longest));
  pen.fillStyle = background;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

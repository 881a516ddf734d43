/** A size that fits, in the same shape, never larger than it was. */
export function fitted(width: number, height: number, longest: number): { width: number; height: number } {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

interface PictureLimits {
  /** The longest side that is sent (px); the server makes it smaller still. */
  readonly longest: number;
  /** The most characters of its data address. */
  readonly most: number;
}

/** The smallest that is worth sending (px), and by how much a picture that is too heavy shrinks at a time. */
const [SMALLEST, STEP] = [320, 0.8];

/** Draws a chosen file small enough to send: whatever else the file held stays here. Gives a data address, or undefined where it is no picture. */
export async function readPicture(file: Blob, { longest, most }: PictureLimits): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  let side = longest;
  let drawn = draw(bitmap, side);
  for (; drawn !== undefined && drawn.length > most && side * STEP >= SMALLEST; drawn = draw(bitmap, side)) side *= STEP;
  bitmap.close();
  return drawn;
}

function draw(bitmap: ImageBitmap, longest: number): string | undefined {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) return undefined;
  Object.assign(canvas, fitted(bitmap.width, bitmap.height, longest));
  // Clear parts of a picture would come out black.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', 0.85);
}

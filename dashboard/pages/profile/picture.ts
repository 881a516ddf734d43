/** The longest side that is sent (px); the server cuts it square and makes it smaller still. */
const LONGEST = 512;

/** A size that fits, in the same shape, never larger than it was. */
export function fitted(width: number, height: number, longest = LONGEST): { width: number; height: number } {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Draws a chosen file small enough to send: whatever else the file held stays here. Gives a data address, or undefined where it is no picture. */
export async function readPicture(file: Blob): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!bitmap || !pen) return undefined;
  Object.assign(canvas, fitted(bitmap.width, bitmap.height));
  // Clear parts of a picture would come out black.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL('image/jpeg', 0.85);
}

import sharp from 'sharp';

const SIDE = 128;
/** A small file that unfolds into a huge picture is refused before it does. */
const MOST_PIXELS = 40_000_000;

/** Draws an uploaded picture anew as a small square: whatever else the file held is gone. Takes and gives a data address; undefined when it is no picture. */
export async function squarePicture(picture: string): Promise<string | undefined> {
  const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
  try {
    const drawn = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
      .rotate()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 80 })
      .toBuffer();
    return `data:image/webp;base64,${drawn.toString('base64')}`;
  } catch {
    return undefined;
  }
}

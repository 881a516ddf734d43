import sharp from 'sharp';
import { badField } from '#contract/errors.ts';

const SIDE = 128;
/** A small file that unfolds into a huge picture is refused before it does. */
const MOST_PIXELS = 40_000_000;

/** Draws an uploaded picture anew as a small square: whatever else the file held is gone. Takes and gives a data address. */
export async function redraw(picture: string): Promise<string> {
  const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
  try {
    const drawn = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
      .rotate()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 80 })
      .toBuffer();
    return `data:image/webp;base64,${drawn.toString('base64')}`;
  } catch (error) {
    throw Object.assign(badField('payload.data.avatar', 'Please choose a PNG, JPEG or WebP picture'), { cause: error });
  }
}

import jsqr from 'jsqr';
import sharp from 'sharp';

/** Returns the text of the QR code in a picture. */
export async function readCode(picture: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(picture).flatten({ background: '#888' }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

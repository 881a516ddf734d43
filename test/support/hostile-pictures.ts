import sharp from 'sharp';

/* Pictures designed to be slow or huge to decode, each small enough to upload. */

const dataUrl = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`;

/** Returns a deeply nested SVG labeled as PNG: 1.6 kB that take many seconds to render. */
export function nestedDrawing(): string {
  const levels = Array.from({ length: 5 }, (_, level) => {
    const uses = `<use href="#g${level}" x="1" filter="url(#f)"/>`.repeat(6);
    return `<g id="g${level + 1}">${uses}</g>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><defs><filter id="f"><feGaussianBlur stdDeviation="9"/></filter><g id="g0"><rect width="500" height="500"/></g>${levels.join('')}</defs><use href="#g5"/></svg>`;
  return dataUrl('png', Buffer.from(svg));
}

/** Returns a square PNG of one color, which is tiny until it is decoded. */
export async function solidPicture(side: number): Promise<string> {
  const image = sharp({ create: { width: side, height: side, channels: 4, background: '#3d4cc2' }, limitInputPixels: false });
  return dataUrl('png', await image.png({ compressionLevel: 9, palette: false }).toBuffer());
}

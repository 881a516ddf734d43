import { BASELINE, LINE, type WordPainter } from './drawing.ts';

/** What fine printers print (dots in a mm, 600 in an inch). */
const DOTS = 600 / 25.4;
/** Strong letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const INK = '#1c1b19';

/** Paints with the fonts of this device, which has those of its people's scripts, joined and in their order, and emoji. */
export function openPainter(): WordPainter {
  const canvas = document.createElement('canvas');
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (!drawing) throw new Error('This browser draws no words');
  const paint = drawing;
  return {
    measure(text, isBold) {
      setFont(text, 100, isBold);
      return paint.measureText(text).width / 100;
    },
    paint({ text, width }, { size, isBold }) {
      const em = size * DOTS;
      canvas.width = Math.max(1, Math.ceil(width * em));
      canvas.height = Math.ceil(LINE * em);
      setFont(text, em, isBold);
      paint.fillStyle = '#fff';
      paint.fillRect(0, 0, canvas.width, canvas.height);
      paint.fillStyle = INK;
      paint.textAlign = 'center';
      paint.fillText(text, canvas.width / 2, BASELINE * em);
      const { data } = paint.getImageData(0, 0, canvas.width, canvas.height);
      return { width: canvas.width, height: canvas.height, pixels: withoutAlpha(data) };
    },
  };

  function setFont(text: string, em: number, isBold: boolean): void {
    paint.font = `${isBold ? 700 : 400} ${em}px system-ui, sans-serif`;
    paint.direction = RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr';
  }
}

function withoutAlpha(rgba: Uint8ClampedArray): Uint8Array<ArrayBuffer> {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) rgb.set(rgba.subarray(from, from + 3), to);
  return rgb;
}

import { encode } from 'uqr';

/** Four light modules around it, and errors of 15 % forgiven (docs/rules.md#qr-codes). */
const SHAPE = { border: 4, ecc: 'M' } as const;
/** The side of a code as a picture (px). */
const PICTURE = 1_024;

/** A QR code in modules, its light border with it. */
export interface CodeModules {
  /** Modules along a side. */
  readonly size: number;
  /** What is dark, row by row: where a run begins, and how long it is. */
  readonly runs: readonly { readonly x: number; readonly y: number; readonly length: number }[];
}

export function modulesOf(text: string): CodeModules {
  const { data, size } = encode(text, SHAPE);
  return { size, runs: data.flatMap((row, y) => runsOf(row).map((run) => ({ ...run, y }))) };
}

function runsOf(row: readonly boolean[]): { x: number; length: number }[] {
  const starts = row.flatMap((isDark, x) => (isDark && !row[x - 1] ? [x] : []));
  // The border is light, so that each run ends.
  return starts.map((x) => ({ x, length: row.indexOf(false, x) - x }));
}

/** The dark modules as the path of a drawing whose unit is a module. */
export const pathOf = ({ runs }: CodeModules): string => runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('');

/** A code as a drawing of its own: dark on white, whatever it lies on. */
export function svgOf(text: string): string {
  const code = modulesOf(text);
  const box = `0 0 ${code.size} ${code.size}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="1024" height="1024" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${code.size}v${code.size}h-${code.size}z"/><path d="${pathOf(code)}"/></svg>`
  );
}

/** A code as a picture of 1,024 px. Its modules are whole pixels, so the light border takes what is left. */
export async function pngOf(text: string): Promise<Blob> {
  const { size, runs } = modulesOf(text);
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE;
  canvas.height = PICTURE;
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('This browser draws no pictures');
  const unit = Math.floor(PICTURE / size);
  const left = Math.floor((PICTURE - unit * size) / 2);
  drawing.fillStyle = '#fff';
  drawing.fillRect(0, 0, PICTURE, PICTURE);
  drawing.fillStyle = '#000';
  for (const { x, y, length } of runs) drawing.fillRect(left + x * unit, left + y * unit, length * unit, unit);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture was not made'))), 'image/png'),
  );
}

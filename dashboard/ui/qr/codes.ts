import { encode } from 'uqr';

/** A quiet zone of four modules, and error correction of 15% (docs/rules.md#qr-codes). */
const SHAPE = { border: 4, ecc: 'M' } as const;
/** The side of a PNG (px). */
const PICTURE = 1_024;

/** A QR code in modules, including its quiet zone. */
interface CodeModules {
  /** The number of modules along a side. */
  readonly size: number;
  /** Runs of dark modules, row by row. */
  readonly runs: readonly { readonly x: number; readonly y: number; readonly length: number }[];
}

export function modulesOf(text: string): CodeModules {
  const { data, size } = encode(text, SHAPE);
  return { size, runs: data.flatMap((row, y) => runsOf(row).map((run) => ({ ...run, y }))) };
}

function runsOf(row: readonly boolean[]): { x: number; length: number }[] {
  const starts = row.flatMap((isDark, x) => (isDark && !row[x - 1] ? [x] : []));
  // Every run ends, because the quiet zone is light.
  return starts.map((x) => ({ x, length: row.indexOf(false, x) - x }));
}

/** Returns the dark modules as an SVG path with one unit per module. */
export const pathOf = ({ runs }: CodeModules): string => runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('');

/** Returns a code as a standalone SVG, black on white. */
export function svgOf(text: string): string {
  const code = modulesOf(text);
  const box = `0 0 ${code.size} ${code.size}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="1024" height="1024" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${code.size}v${code.size}h-${code.size}z"/><path d="${pathOf(code)}"/></svg>`
  );
}

/** Returns a code as a PNG of 1,024 px. Modules are whole pixels; the remainder goes to the quiet zone. Throws if the browser can't draw. */
export async function pngOf(text: string): Promise<Blob> {
  const { size, runs } = modulesOf(text);
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE;
  canvas.height = PICTURE;
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('This browser can’t draw pictures');
  const unit = Math.floor(PICTURE / size);
  const left = Math.floor((PICTURE - unit * size) / 2);
  drawing.fillStyle = '#fff';
  drawing.fillRect(0, 0, PICTURE, PICTURE);
  drawing.fillStyle = '#000';
  for (const { x, y, length } of runs) drawing.fillRect(left + x * unit, left + y * unit, length * unit, unit);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture couldn’t be created'))), 'image/png'),
  );
}

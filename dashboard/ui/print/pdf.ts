/* A PDF file of shapes, words and pictures: as much of ISO 32000-1 as printed codes need. */

/** Points in a millimetre. */
const POINTS = 72 / 25.4;

/** A picture, as it is embedded: 8 bits for each of red, green and blue, row by row. */
export interface PdfPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

export interface PdfPage {
  /** In mm. */
  readonly width: number;
  readonly height: number;
  /** PDF operators. The unit is a millimetre, y grows downwards, and `/F1` is Helvetica, `/F2` its bold. */
  readonly content: string;
}

interface PdfParts {
  readonly title: string;
  readonly pages: readonly PdfPage[];
  /** Pictures by the names that the pages' content calls them. */
  readonly pictures: ReadonlyMap<string, PdfPicture>;
}

/** The whole file. */
export async function pdfOf({ title, pages, pictures }: PdfParts): Promise<Blob> {
  const file = openFile();
  const [catalog, tree, regular, bold, info] = [file.reserve(), file.reserve(), file.reserve(), file.reserve(), file.reserve()];
  file.write(regular, `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>`);
  file.write(bold, `<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>`);
  file.write(info, `<</Title<${utf16(title)}>/Producer(Afterword)>>`);
  const named: string[] = [];
  for (const [name, { width, height, pixels }] of pictures) {
    const form = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8`;
    named.push(`/${name} ${await file.stream(form, pixels)} 0 R`);
  }
  const resources = `<</Font<</F1 ${regular} 0 R/F2 ${bold} 0 R>>/XObject<<${named.join('')}>>>>`;
  const kids: number[] = [];
  for (const { width, height, content } of pages) {
    const [right, top] = [number(width * POINTS), number(height * POINTS)];
    const upright = `${number(POINTS)} 0 0 ${number(-POINTS)} 0 ${top} cm\n`;
    const drawn = await file.stream('', new TextEncoder().encode(upright + content));
    const page = file.reserve();
    file.write(page, `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${right} ${top}]/Resources ${resources}/Contents ${drawn} 0 R>>`);
    kids.push(page);
  }
  file.write(tree, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`);
  file.write(catalog, `<</Type/Catalog/Pages ${tree} 0 R>>`);
  return file.end(catalog, info);
}

type PdfPart = string | Uint8Array<ArrayBuffer>;

/** Objects by number, and where each begins: that is what a file ends with. */
function openFile() {
  const parts: PdfPart[] = [];
  const begins: number[] = [];
  let length = 0;
  const add = (part: PdfPart): void => {
    parts.push(part);
    length += part.length;
  };
  // The second line says that what follows is not only text.
  add('%PDF-1.4\n');
  add(new Uint8Array([0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a]));

  function reserve(): number {
    begins.push(0);
    return begins.length;
  }

  function write(object: number, ...body: PdfPart[]): void {
    begins[object - 1] = length;
    for (const part of [`${object} 0 obj\n`, ...body, '\nendobj\n']) add(part);
  }

  return {
    reserve,
    write,
    async stream(form: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
      const packed = await deflated(bytes);
      const object = reserve();
      write(object, `<<${form}/Filter/FlateDecode/Length ${packed.length}>>stream\n`, packed, '\nendstream');
      return object;
    },
    end(catalog: number, info: number): Blob {
      const table = begins.map((begin) => `${String(begin).padStart(10, '0')} 00000 n \n`).join('');
      const size = begins.length + 1;
      const start = length;
      add(`xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root ${catalog} 0 R/Info ${info} 0 R>>\n`);
      add(`startxref\n${start}\n%%EOF\n`);
      return new Blob(parts, { type: 'application/pdf' });
    },
  };
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

const utf16 = (text: string): string =>
  `FEFF${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}`;

/** As PDF takes it: no exponent, no more digits than a printer has dots. */
export const number = (value: number): string => String(Math.round(value * 10_000) / 10_000);

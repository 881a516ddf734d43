import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

/** Pixels along a module's side. */
const UNIT = 8;

/** Returns a QR code as a PNG, black on white, with its quiet zone (docs/rules.md#qr-codes). */
export function codePicture(text: string): Uint8Array {
  const { data, size } = encode(text, { border: 4, ecc: 'M' });
  const side = size * UNIT;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits per pixel, in gray.
  header[8] = 8;
  const rows = data.flatMap((row) => Array.from({ length: UNIT }, () => rowOf(row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]);
}

/** Returns a line of pixels after its filter type, which is none. */
const rowOf = (modules: readonly boolean[]): Buffer =>
  Buffer.from([0, ...modules.flatMap((isDark) => Array.from({ length: UNIT }, () => (isDark ? 0 : 255)))]);

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

import { constants, crc32, deflateRawSync } from 'node:zlib';

/**
 * A page that differs between visitors in one short value only. Its constant parts are compressed once; the value is inserted as a
 * stored block (RFC 1951, 3.2.4), so filling needs no compression.
 */
export interface GzipTemplate {
  /** Returns the page with the value in every gap, as gzip. The value has at most 65,535 bytes. */
  fill(value: string): Buffer;
  /** Returns the page uncompressed. */
  plain(value: string): string;
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
const BEST_COMPRESSION = 9;

export function createGzipTemplate(page: string, gap: string): GzipTemplate {
  const parts = page.split(gap).map((text) => Buffer.from(text));
  const compressed = parts.map((part, index) =>
    deflateRawSync(part, {
      level: BEST_COMPRESSION,
      finishFlush: index === parts.length - 1 ? constants.Z_FINISH : constants.Z_FULL_FLUSH,
    }),
  );
  return {
    fill(value) {
      const bytes = Buffer.from(value);
      const stored = storedBlock(bytes);
      const pieces = compressed.flatMap((piece, index) => (index === 0 ? [piece] : [stored, piece]));
      return Buffer.concat([HEADER, ...pieces, trailer(parts, bytes)]);
    },
    plain: (value) => page.replaceAll(gap, () => value),
  };
}

/** Returns a block that is neither final nor compressed: its length, the length's complement, the bytes. */
function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

function trailer(parts: readonly Buffer[], value: Buffer): Buffer {
  let sum = 0;
  let length = 0;
  for (const [index, part] of parts.entries()) {
    if (index > 0) sum = crc32(value, sum);
    sum = crc32(part, sum);
    length += part.length + (index > 0 ? value.length : 0);
  }
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(sum, 0);
  bytes.writeUInt32LE(length, 4);
  return bytes;
}

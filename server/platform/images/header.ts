/** Width and height of a picture, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the decoded size of a PNG, JPEG or WebP picture, read from its header; undefined for any other file. */
export function sizeOf(bytes: Buffer): Size | undefined {
  try {
    return FORMATS.find(({ is }) => is(bytes))?.size(bytes);
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Format {
  is(bytes: Buffer): boolean;
  size(bytes: Buffer): Size | undefined;
}

const textAt = (bytes: Buffer, from: number, length = 4): string => bytes.toString('latin1', from, from + length);

/** https://www.w3.org/TR/png-3/#5PNG-file-signature; IHDR comes first. */
const PNG: Format = {
  is: (bytes) => textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
  size: (bytes) => (textAt(bytes, 12) === 'IHDR' ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined),
};

/** ITU-T T.81, B.1.1.3: the size is in the frame header, after other segments that start with their length. */
const JPEG: Format = {
  is: (bytes) => bytes.readUIntBE(0, 3) === 0xff_d8_ff,
  size(bytes) {
    for (let at = 2; bytes[at] === 0xff; ) {
      const marker = bytes.readUInt8(at + 1);
      // Any number of fill bytes may precede a marker.
      if (marker === 0xff) at += 1;
      else if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      else at += 2 + bytes.readUInt16BE(at + 2);
    }
    return undefined;
  },
};

/** SOF0 to SOF15, except DHT, JPG and DAC in between. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** RFC 9649: lossy, lossless, or extended with a separate canvas size. */
const WEBP: Format = {
  is: (bytes) => textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP',
  size(bytes) {
    const kind = textAt(bytes, 12);
    if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    if (kind !== 'VP8L') return undefined;
    const sides = bytes.readUInt32LE(21);
    return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
  },
};

const FORMATS = [PNG, JPEG, WEBP];

/* A ZIP archive (ISO/IEC 21320-1), written from front to back. Its state between two parts is small and can be stored as JSON. */

/** The runtime's functions on bytes. */
export interface Packing {
  readonly utf8: (text: string) => Uint8Array;
  /** DEFLATE (RFC 1951) in whole blocks that end on a byte, none marked as the last. Without it, entries are stored uncompressed. */
  readonly deflate?: (bytes: Uint8Array) => Promise<Uint8Array>;
}

interface ZipEntry {
  readonly name: string;
  /** The offset of its header. */
  readonly start: number;
  readonly crc: number;
  /** Bytes before and after compression. */
  readonly size: number;
  readonly packed: number;
}

export interface ZipState {
  /** Bytes written so far. */
  readonly at: number;
  /** The last one is open until `end`. */
  readonly entries: readonly ZipEntry[];
}

interface ZipWriter {
  /** Begins an entry. The previous one must be ended. */
  begin(name: string): void;
  write(text: string): Promise<void>;
  end(): void;
  /** Writes the directory of entries, which completes the archive. */
  finish(): void;
  /** Returns the bytes written since this writer was opened, and the state after them. */
  take(): { readonly bytes: Uint8Array; readonly state: ZipState };
}

/** 1 January 1980 for every entry, so that the same rows make the same file. */
const DATE = 0x21;
const VERSION = 20;
/** The sizes follow the data; names are UTF-8. */
const FLAGS = 0x808;
/** An empty last block, because no block before it is marked as the last. */
const LAST_BLOCK = Uint8Array.of(0x03, 0x00);

/** Opens a new archive, or continues one. */
export function openZip({ utf8, deflate }: Packing, before: ZipState = { at: 0, entries: [] }): ZipWriter {
  const method = deflate ? 8 : 0;
  const parts: Uint8Array[] = [];
  const entries = [...before.entries];
  let at = before.at;
  return {
    begin(name) {
      entries.push({ name, start: at, crc: 0, size: 0, packed: 0 });
      const bytes = utf8(name);
      add(numbers([0x04034b50, 4], [VERSION, 2], [FLAGS, 2], [method, 2], [0, 2], [DATE, 2], [0, 12], [bytes.length, 2], [0, 2]), bytes);
    },
    async write(text) {
      const raw = utf8(text);
      const packed = deflate ? await deflate(raw) : raw;
      change((entry) => ({ crc: crc32(raw, entry.crc), size: entry.size + raw.length, packed: entry.packed + packed.length }));
      add(packed);
    },
    end() {
      if (deflate) {
        change(({ packed }) => ({ packed: packed + LAST_BLOCK.length }));
        add(LAST_BLOCK);
      }
      const { crc, packed, size } = open();
      add(numbers([0x08074b50, 4], [crc, 4], [packed, 4], [size, 4]));
    },
    finish() {
      const directory = at;
      for (const { name, start, crc, size, packed } of entries) {
        const bytes = utf8(name);
        const versions = numbers([0x02014b50, 4], [VERSION, 2], [VERSION, 2], [FLAGS, 2], [method, 2], [0, 2], [DATE, 2]);
        const sizes = numbers([crc, 4], [packed, 4], [size, 4], [bytes.length, 2], [0, 12], [start, 4]);
        add(versions, sizes, bytes);
      }
      add(numbers([0x06054b50, 4], [0, 4], [entries.length, 2], [entries.length, 2], [at - directory, 4], [directory, 4], [0, 2]));
    },
    take: () => ({ bytes: concat(parts), state: { at, entries } }),
  };

  function add(...chunks: Uint8Array[]): void {
    parts.push(...chunks);
    for (const { length } of chunks) at += length;
  }
  function open(): ZipEntry {
    const entry = entries.at(-1);
    if (!entry) throw new Error('No entry is open');
    return entry;
  }
  function change(to: (entry: ZipEntry) => Partial<ZipEntry>): void {
    const entry = open();
    entries[entries.length - 1] = { ...entry, ...to(entry) };
  }
}

/** Returns numbers as bytes of the given sizes, the lowest byte first. */
function numbers(...fields: readonly (readonly [value: number, size: number])[]): Uint8Array {
  const bytes = fields.flatMap(([value, size]) => Array.from({ length: size }, (_, place) => Math.floor(value / 256 ** place) % 256));
  return Uint8Array.from(bytes);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** Returns the checksum of bytes, continued from the checksum of those before. */
function crc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

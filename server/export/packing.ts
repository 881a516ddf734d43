import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import type { Packing } from '#contract/export/zip.ts';

const deflate = promisify(deflateRaw);

/** Each part is compressed separately, up to a whole byte, so that any process can continue after it. */
export const PACKING: Packing = {
  utf8: (text) => Buffer.from(text, 'utf8'),
  deflate: (bytes) => deflate(bytes, { finishFlush: constants.Z_FULL_FLUSH }),
};

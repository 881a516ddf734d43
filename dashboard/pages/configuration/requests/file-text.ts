/* Apart from customer-list.ts, whose parser loads only with the review. */

/** Returns the text of a file: as UTF-8, or if that fails as windows-1252, in which Excel saves a CSV file. */
export function fileText(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

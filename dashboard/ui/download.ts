/** The browser starts the download within this time (ms). */
const STARTS_WITHIN = 60_000;

/** Downloads a file under a name. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  downloadFrom(address, name);
  setTimeout(() => URL.revokeObjectURL(address), STARTS_WITHIN);
}

/** Downloads from an address of this site under a name. The browser streams it to disk. */
export function downloadFrom(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** How long a browser may take to begin (ms). */
const BEGINS_WITHIN = 60_000;

/** Saves a file under a name, as a link to it would. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  downloadFrom(address, name);
  setTimeout(() => URL.revokeObjectURL(address), BEGINS_WITHIN);
}

/** Saves what an address of this site leads to under a name: the browser writes it to the disk while it comes. */
export function downloadFrom(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

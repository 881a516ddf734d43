/** What tests read of the disk. The dashboard has no Node, so its types are not here; the build refuses the import. */
declare module 'node:fs' {
  export function readFileSync(file: URL, encoding: 'utf8'): string;
  export function existsSync(file: URL): boolean;
}

/** Types for tests that read files. The dashboard has no Node types, and the build refuses this import. */
declare module 'node:fs' {
  export function readFileSync(file: URL, encoding: 'utf8'): string;
  export function existsSync(file: URL): boolean;
}

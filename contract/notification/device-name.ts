const BROWSERS = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium/, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|macOS/i, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
] as const;

/** A browser's name and its system's, as far as they are known. */
export interface KnownDevice {
  readonly browser?: string | undefined;
  readonly system?: string | undefined;
}

/** Returns a browser's name in words, such as "Chrome on Windows", or the beginning of its own name for an unknown one. */
export function deviceName(agent: string): string {
  const { browser, system } = knownDevice(agent);
  return [browser, system].filter(Boolean).join(' on ') || agent.slice(0, 60) || 'A browser';
}

/** Returns the names for our own texts, which don't quote an unknown browser. */
export function knownDevice(agent: string): KnownDevice {
  const nameIn = (list: readonly (readonly [RegExp, string])[]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}

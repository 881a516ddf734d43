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

/** Returns a browser's name in words, such as "Chrome on Windows", or the beginning of its own name for an unknown one. */
export const deviceName = (agent: string): string => wordsFor(agent) || agent.slice(0, 60) || 'A browser';

/** Returns the name for our own texts, which don't quote an unknown browser. */
export const knownDeviceName = (agent: string): string => wordsFor(agent) || 'a browser that we don’t know';

function wordsFor(agent: string): string {
  const nameIn = (list: readonly (readonly [RegExp, string])[]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(Boolean).join(' on ');
}

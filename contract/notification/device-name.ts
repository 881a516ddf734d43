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

/** What a browser calls itself, as people do: "Chrome on Windows". */
export const deviceName = (agent: string): string => wordsFor(agent) || agent.slice(0, 60) || 'A browser';

/** The same where it is read as our words: of a browser that nobody knows, none of its own. */
export const knownDeviceName = (agent: string): string => wordsFor(agent) || 'a browser that we don’t know';

function wordsFor(agent: string): string {
  const named = (list: readonly (readonly [RegExp, string])[]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  return [named(BROWSERS), named(SYSTEMS)].filter(Boolean).join(' on ');
}

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
export function deviceName(agent: string): string {
  const named = (list: readonly (readonly [RegExp, string])[]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  return [browser, system].filter(Boolean).join(' on ') || agent.slice(0, 60) || 'A browser';
}

/** Where a browser was, by the beginning of its address on the network: all that is kept of it. */
export function placeOf(network: string): string {
  if (network === '127.0.0' || network === '0:0:0:0') return 'on the computer that runs Afterword';
  return network.includes(':') ? `IP address ${network}:…` : `IP address ${network}.…`;
}

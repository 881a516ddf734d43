import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The first two render internal pages for the address bar of each new window, which cost more than ours. */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  // Repeats the features that playwright-core disables, because the browser reads only one list.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join()}`,
];
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Debian also packages the engine without windows, which renders pages with a fifth less work. */
const WINDOWLESS = '-headless-shell';

export interface LaunchOptions {
  /** Uses the browser with windows, for notifications and an ordinary user agent. */
  readonly isWhole?: boolean;
  /** The size of text in the person's settings (px); 16 by default. */
  readonly textSize?: number;
}

/** Starts this machine's Chromium without background work, and throws when there is none. */
export function launch({ isWhole = false, textSize = 16 }: LaunchOptions = {}): Promise<Browser> {
  const whole = process.env['CHROMIUM'] ?? PLACES.find(existsSync);
  if (!whole) throw new Error('There is no Chromium; set CHROMIUM to the path of one');
  const windowless = `${whole}${WINDOWLESS}`;
  return chromium.launch({
    executablePath: !isWhole && existsSync(windowless) ? windowless : whole,
    args: [...FLAGS, `--blink-settings=defaultFontSize=${textSize}`],
  });
}

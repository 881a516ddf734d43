import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The first two are drawn for the address bar of each new window: two pages of the browser’s own, which cost more than ours. */
const SWITCHED_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  // What playwright-core switches off; the browser heeds one list only.
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
  `--disable-features=${SWITCHED_OFF.join()}`,
];
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Debian packs the same engine without a browser's windows, which shows pages with a fifth less work. */
const WINDOWLESS = '-headless-shell';

export interface LaunchOptions {
  /** With what only a browser that has windows does: it shows notifications, and does not say that a program drives it. */
  readonly isWhole?: boolean;
}

/** The Chromium of this machine, with nothing in it that takes the processor from what is looked at. */
export function launch({ isWhole = false }: LaunchOptions = {}): Promise<Browser> {
  const whole = process.env['CHROMIUM'] ?? PLACES.find(existsSync);
  if (!whole) throw new Error('There is no Chromium; set CHROMIUM to the path of one');
  const windowless = `${whole}${WINDOWLESS}`;
  return chromium.launch({ executablePath: !isWhole && existsSync(windowless) ? windowless : whole, args: FLAGS });
}

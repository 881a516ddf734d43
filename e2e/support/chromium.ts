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

/** The Chromium of this machine, with nothing in it that takes the processor from what is looked at. */
export function launch(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find(existsSync);
  if (!executablePath) throw new Error('There is no Chromium; set CHROMIUM to the path of one');
  return chromium.launch({ executablePath, args: FLAGS });
}

import { deviceName } from '#contract/notification/device-name.ts';
import { t } from '../../language.ts';

/** Returns the label of a session's network. Only the start of its IP address is stored. */
export function networkLabel(network: string): string {
  if (network === '127.0.0' || network === '0:0:0:0') return t('on the computer running Afterword');
  return t('IP address {start}', { start: network.includes(':') ? `${network}:…` : `${network}.…` });
}

/** Returns a browser's name for its agent string, or for a name that was stored before: "Chrome on Windows". */
export function deviceLabel(device: string): string {
  if (device === '') return t('A browser');
  const name = deviceName(device);
  const [, browser, system] = /^(\w+) on (\w+)$/.exec(name) ?? [];
  return browser && system ? t('{browser} on {system}', { browser, system }) : name;
}

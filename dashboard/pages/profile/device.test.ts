import { describe, expect, it } from 'vitest';
import { deviceName } from '#contract/notification/device-name.ts';
import { networkLabel } from './device.ts';

describe('a device', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36', 'Chrome on Windows'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36 Edg/156.0', 'Edge on Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1', 'Safari on iPhone'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['macOS 26 arm (Chromium/156)', 'Chrome on Mac'],
    ['', 'A browser'],
    ['curl/8', 'curl/8'],
  ])('%s', (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });
});

describe('a network', () => {
  it.each([
    ['203.0.113', 'IP address 203.0.113.…'],
    ['2001:db8:0:1', 'IP address 2001:db8:0:1:…'],
    ['127.0.0', 'on the computer running Afterword'],
    ['0:0:0:0', 'on the computer running Afterword'],
  ])('%s', (network, place) => {
    expect(networkLabel(network)).toBe(place);
  });
});

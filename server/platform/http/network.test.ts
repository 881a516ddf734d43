import { describe, expect, it } from 'vitest';
import { hostOf, networkOf } from './network.ts';

describe('the network and the host of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0', '2001:db8:0:0'],
    ['2001:DB8:0:0:1::1', '2001:db8:0:0', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0', '0:0:0:0'],
    ['not an address', 'not an address', 'not an address'],
  ])('%s', (address, network, host) => {
    expect([networkOf(address), hostOf(address)]).toEqual([network, host]);
  });
});

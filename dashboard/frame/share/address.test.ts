import { expect, it } from 'vitest';
import { siteOf } from './address.ts';

it('uses the public address for codes, and never a loopback address', () => {
  const page = 'https://10.0.0.5:8443';
  expect(siteOf('https://feedback.example.com', page)).toBe('https://feedback.example.com');
  for (const unset of [undefined, 'http://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]']) expect(siteOf(unset, page)).toBe(page);
  expect(siteOf('http://localhost.example.com', page)).toBe('http://localhost.example.com');
});

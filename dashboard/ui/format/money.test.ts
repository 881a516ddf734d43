import { expect, it } from 'vitest';
import { moneyInWords } from './money.ts';

it('formats an amount with the digits of its currency', () => {
  expect(moneyInWords({ amount: 24_000, currency: 'USD' })).toBe('$240.00');
  expect(moneyInWords({ amount: -505, currency: 'EUR' })).toBe('-€5.05');
  expect(moneyInWords({ amount: 500, currency: 'JPY' })).toBe('¥500');
  expect(moneyInWords({ amount: 1_234_500, currency: 'KWD' })).toMatch(/^KWD\s1,234\.500$/);
});

import { describe, expect, it } from 'vitest';
import { commandOf, type Press } from './shortcuts.ts';

const press = (key: string, where: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isInControl: false,
  isOnRow: false,
  ...where,
});
const KEYS = ['j', 'k', '1', '5', '0', '[', ']', '/', 'Escape'];

describe('keys of the feed', () => {
  it.each(KEYS)('leaves %s alone in fields and with a modifier', (key) => {
    expect(commandOf(press(key, { isInControl: true }))).toBeUndefined();
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const) expect(commandOf(press(key, { [modifier]: true }))).toBeUndefined();
    expect(commandOf(press(key))).toBeDefined();
  });

  it('takes the arrows on a row only: elsewhere they scroll', () => {
    expect(commandOf(press('ArrowDown'))).toBeUndefined();
    expect(commandOf(press('ArrowUp'))).toBeUndefined();
    expect(commandOf(press('ArrowDown', { isOnRow: true }))).toEqual({ do: 'step', by: 1 });
    expect(commandOf(press('ArrowUp', { isOnRow: true }))).toEqual({ do: 'step', by: -1 });
  });

  it('means what the list of keys says', () => {
    expect(commandOf(press('j'))).toEqual({ do: 'step', by: 1 });
    expect(commandOf(press('K'))).toEqual({ do: 'step', by: -1 });
    expect(commandOf(press('3'))).toEqual({ do: 'rate', rating: 3 });
    expect(commandOf(press('0'))).toEqual({ do: 'rate', rating: undefined });
    expect(commandOf(press('['))).toEqual({ do: 'period', by: -1 });
    expect(commandOf(press(']'))).toEqual({ do: 'period', by: 1 });
    expect(commandOf(press('/'))).toEqual({ do: 'search' });
    expect(commandOf(press('Escape'))).toEqual({ do: 'close' });
  });

  it('knows no other', () => {
    for (const key of ['6', '9', 'e', 'Enter', ' ', 'Tab', 'Home']) expect(commandOf(press(key, { isOnRow: true }))).toBeUndefined();
  });
});

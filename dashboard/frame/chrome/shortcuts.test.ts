import { describe, expect, it } from 'vitest';
import { commandOf, firstKeyOf, type Press, SHORTCUTS } from './shortcuts.ts';

const press = (key: string, where: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isInControl: false,
  isOnSelect: false,
  isOnRow: false,
  ...where,
});
const KEYS = ['j', 'c', '1', '5', '0', '[', ']', '/', 'Escape'];

describe('shortcuts', () => {
  it.each(KEYS)('ignores %s in fields and with a modifier', (key) => {
    expect(commandOf(press(key, { isInControl: true }))).toBeUndefined();
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const) expect(commandOf(press(key, { [modifier]: true }))).toBeUndefined();
    expect(commandOf(press(key))).toBeDefined();
  });

  it('handles the arrows only on a row, because they scroll elsewhere', () => {
    expect(commandOf(press('ArrowDown'))).toBeUndefined();
    expect(commandOf(press('ArrowUp'))).toBeUndefined();
    expect(commandOf(press('ArrowDown', { isOnRow: true }))).toEqual({ do: 'step', by: 1 });
    expect(commandOf(press('ArrowUp', { isOnRow: true }))).toEqual({ do: 'step', by: -1 });
  });

  it('maps each key to its command', () => {
    expect(commandOf(press('j'))).toEqual({ do: 'step', by: 1 });
    expect(commandOf(press('K'))).toEqual({ do: 'step', by: -1 });
    expect(commandOf(press('3'))).toEqual({ do: 'rate', rating: 3 });
    expect(commandOf(press('0'))).toEqual({ do: 'rate', rating: undefined });
    expect(commandOf(press('['))).toEqual({ do: 'period', by: -1 });
    expect(commandOf(press(']'))).toEqual({ do: 'period', by: 1 });
    expect(commandOf(press('c'))).toEqual({ do: 'comment' });
    expect(commandOf(press('/'))).toEqual({ do: 'search' });
    expect(commandOf(press('Escape'))).toEqual({ do: 'close' });
    expect(commandOf(press('e'))).toEqual({ do: 'done', isNext: false });
    expect(commandOf(press('E', { shiftKey: true }))).toEqual({ do: 'done', isNext: true });
    expect(commandOf(press('?', { shiftKey: true }))).toEqual({ do: 'help' });
    for (const modifier of ['ctrlKey', 'metaKey'] as const) expect(commandOf(press('z', { [modifier]: true }))).toEqual({ do: 'undo' });
    expect(commandOf(press('z', { ctrlKey: true, isInControl: true }))).toBeUndefined();
  });

  it('treats Shift with a letter as the letter, unless that has its own command', () => {
    expect(commandOf(press('J', { shiftKey: true }))).toEqual({ do: 'step', by: 1 });
    expect(commandOf(press('j', { shiftKey: true }))).toEqual({ do: 'step', by: 1 });
    expect(commandOf(press('e', { shiftKey: true }))).toEqual({ do: 'done', isNext: true });
  });

  it('doesn’t undo on the usual keys for redo', () => {
    for (const key of ['z', 'Z'])
      for (const modifier of ['ctrlKey', 'metaKey'] as const)
        expect(commandOf(press(key, { [modifier]: true, shiftKey: true }))).toBeUndefined();
  });

  it('leaves plain keys to a select, but undoes there', () => {
    for (const key of [...KEYS, 'e', 'g', '?']) {
      expect(commandOf(press(key, { isOnSelect: true }))).toBeUndefined();
      expect(firstKeyOf(press(key, { isOnSelect: true }), 5)).toBeUndefined();
    }
    for (const modifier of ['ctrlKey', 'metaKey'] as const) {
      expect(commandOf(press('z', { [modifier]: true, isOnSelect: true }))).toEqual({ do: 'undo' });
      expect(commandOf(press('z', { [modifier]: true, isOnSelect: true, isInControl: true }))).toBeUndefined();
    }
  });

  it('opens only the palette from a field', () => {
    for (const modifier of ['ctrlKey', 'metaKey'] as const) {
      expect(commandOf(press('k', { [modifier]: true, isInControl: true }))).toEqual({ do: 'palette' });
      expect(commandOf(press('k', { [modifier]: true }))).toEqual({ do: 'palette' });
    }
    const others = SHORTCUTS.flatMap(({ commands = {}, isEverywhere }) => (isEverywhere ? [] : Object.keys(commands)));
    expect(others.length).toBeGreaterThan(20);
    for (const key of others) expect(commandOf(press(key, { isInControl: true }))).toBeUndefined();
  });

  it('goes to a page by G and a second key', () => {
    const pages = { f: 'feed', u: 'urgent', p: 'properties', s: 'users', a: 'administration', d: 'docs' };
    for (const [key, to] of Object.entries(pages)) expect(commandOf(press(key, { after: 'g' }))).toEqual({ do: 'go', to });
    for (const key of ['j', 'e', 'Escape', 'g']) expect(commandOf(press(key, { after: 'g' }))).toBeUndefined();
    expect(commandOf(press('u'))).toEqual({ do: 'unread' });
    expect(commandOf(press('k', { after: 'g', ctrlKey: true }))).toEqual({ do: 'palette' });
  });

  it('starts a sequence only with G, outside fields', () => {
    expect(firstKeyOf(press('G'), 5)).toEqual({ key: 'g', at: 5 });
    for (const where of [{ isInControl: true }, { ctrlKey: true }, { altKey: true }, { after: 'g' }])
      expect(firstKeyOf(press('g', where), 5)).toBeUndefined();
    for (const key of ['f', 'j', 'ctrl+z']) expect(firstKeyOf(press(key), 5)).toBeUndefined();
  });

  it('ignores every other key', () => {
    for (const key of ['6', '9', 'y', 'Enter', ' ', 'Tab', 'Home']) expect(commandOf(press(key, { isOnRow: true }))).toBeUndefined();
  });
});

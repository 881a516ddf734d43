import { describe, expect, it } from 'vitest';
import { type PaletteEntry, type PaletteGroup, sectionsOf } from './entries.ts';

const entry = (group: PaletteGroup, label: string, words?: string): PaletteEntry => ({
  id: label,
  group,
  label,
  ...(words !== undefined && { words }),
  run: () => undefined,
});
const PLACES = Array.from({ length: 40 }, (_, at) => entry('Properties', `Café ${at + 1}`, 'feedback'));
const ALL = [
  entry('Pages', 'All feedback'),
  entry('Pages', 'Users', 'team people'),
  entry('Views', 'To call back'),
  ...PLACES,
  entry('Actions', 'Invite user', 'teammate'),
  entry('Docs', 'Reports by email'),
];
const sections = (search: string, recent: readonly string[] = []) =>
  sectionsOf(ALL, search, recent).map(({ group, entries }) => [group, ...entries.map(({ label }) => label)]);

describe('sectionsOf', () => {
  it('matches all words regardless of case and accents, with matching beginnings first', () => {
    expect(sections('CAFE 40')).toEqual([['Properties', 'Café 40']]);
    expect(sections('back')).toEqual([
      ['Pages', 'All feedback'],
      ['Views', 'To call back'],
      ['Properties', ...PLACES.slice(0, 38).map(({ label }) => label)],
    ]);
    expect(sections('user')).toEqual([
      ['Pages', 'Users'],
      ['Actions', 'Invite user'],
    ]);
    expect(sections('teammate')).toEqual([['Actions', 'Invite user']]);
    expect(sections('zeppelin')).toEqual([]);
  });

  it('lists recent entries first without a search, then a few properties and all other entries', () => {
    const [recent, ...others] = sections('  ', ['Café 17', 'gone', 'Users']);
    expect(recent).toEqual(['Recent', 'Café 17', 'Users']);
    expect(others.map(([group, ...labels]) => [group, labels.length])).toEqual([
      ['Pages', 1],
      ['Views', 1],
      ['Properties', 5],
      ['Actions', 1],
      ['Docs', 1],
    ]);
  });
});

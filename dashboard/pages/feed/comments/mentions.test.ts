import { describe, expect, it } from 'vitest';
import type { User } from '#contract/user/user.ts';
import { dana, noor, sam } from '#fixtures/business.ts';
import { mentionAtCaret, partsOf, suggestionsFor, withIds, withNames } from './mentions.ts';

const renamed = (user: User, displayName: string): User => ({ ...user, data: { ...user.data, displayName } });
const team = [dana, noor, sam];

describe('a mention', () => {
  it.each([
    ['@Sam Lee, look', `@${sam.id}, look`],
    ['Ask @sam lee', `Ask @${sam.id}`],
    ['(@Sam Lee)', `(@${sam.id})`],
    ['@Sam Lee@Noor Haddad', `@${sam.id}@Noor Haddad`],
    ['@Sam Lee @Noor Haddad', `@${sam.id} @${noor.id}`],
    ['@Sam Leeds', '@Sam Leeds'],
    ['@Sam', '@Sam'],
    ['sam@Sam Lee', 'sam@Sam Lee'],
    ['@@Sam Lee', `@@${sam.id}`],
    ['Nobody', 'Nobody'],
  ])('%s is sent as %s', (typed, sent) => {
    expect(withIds(typed, team)).toBe(sent);
  });

  it('matches the longer of two names that begin alike', () => {
    const both = [renamed(sam, 'Sam'), renamed(noor, 'Sam Lee')];
    expect(withIds('@Sam Lee and @Sam', both)).toBe(`@${noor.id} and @${sam.id}`);
  });

  it('distinguishes two people of the same name by email', () => {
    const twins = [renamed(noor, 'Sam Lee'), sam];
    const typed = `@Sam Lee (${noor.data.emailAddress}) and @Sam Lee (${sam.data.emailAddress})`;
    expect(withIds(typed, twins)).toBe(`@${noor.id} and @${sam.id}`);
    expect(withNames(withIds(typed, twins), twins)).toBe(typed);
  });

  it('shows the new name after a rename, and "former teammate" for anyone who left', () => {
    const stored = withIds('@Sam Lee and @Noor Haddad', team);
    expect(withNames(stored, [dana, renamed(sam, 'Samuel')])).toBe('@Samuel and @former teammate');
    expect(partsOf(stored, team)).toEqual([
      { text: '@Sam Lee', isMention: true },
      { text: ' and ', isMention: false },
      { text: '@Noor Haddad', isMention: true },
    ]);
  });
});

describe('while typing', () => {
  it('starts a mention at an @ that follows no letter, and ends it with the line', () => {
    expect(mentionAtCaret('Hi @no', 6)).toEqual({ at: 3, typed: 'no' });
    expect(mentionAtCaret('Hi @no you', 4)).toEqual({ at: 3, typed: '' });
    expect(mentionAtCaret('mail@no', 7)).toBeUndefined();
    expect(mentionAtCaret('@no\nmore', 8)).toBeUndefined();
  });

  it('suggests teammates by any word of their name, except yourself and invited people', () => {
    const invited = { ...noor, data: { ...noor.data, invited: true as const } };
    expect(suggestionsFor('', team, dana.id)).toEqual([noor, sam]);
    expect(suggestionsFor('LE', team, dana.id)).toEqual([sam]);
    expect(suggestionsFor('sam l', team, dana.id)).toEqual([sam]);
    expect(suggestionsFor('sam lee', team, dana.id)).toEqual([]);
    expect(suggestionsFor('no', [dana, invited, sam], dana.id)).toEqual([]);
    const zoe = renamed(sam, 'Zoë Ångström');
    for (const typed of ['zoe', 'ANG', 'zoë å']) expect(suggestionsFor(typed, [dana, zoe], dana.id), typed).toEqual([zoe]);
  });
});

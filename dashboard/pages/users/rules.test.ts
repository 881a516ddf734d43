import { describe, expect, it } from 'vitest';
import type { User } from '#contract/user/user.ts';
import { isLastAdmin, matching } from './rules.ts';

const person = (name: string, data: Partial<User['data']>): User => ({
  id: `USER_${name}`,
  sk: 'USER',
  gs1sk: 'ACCOUNT_Harbor',
  gs2pk: `${name}@harbor.test`,
  data: {
    created: 0,
    createdBy: 'USER_dana',
    displayName: name,
    emailAddress: `${name}@harbor.test`,
    level: 'user',
    accountId: 'ACCOUNT_Harbor',
    ...data,
  },
});

const dana = person('dana', { level: 'admin' });
const noor = person('noor', { level: 'admin' });
const invited = person('ines', { level: 'admin', invited: true });
const sam = person('sam', { displayName: 'Sam Lee' });

describe('the last admin', () => {
  it('is the only admin who has joined', () => {
    expect(isLastAdmin([dana, sam], dana)).toBe(true);
    expect(isLastAdmin([dana, sam, invited], dana)).toBe(true);
    expect(isLastAdmin([dana, noor], dana)).toBe(false);
  });

  it('is never a member or an invited person', () => {
    expect(isLastAdmin([dana, sam], sam)).toBe(false);
    expect(isLastAdmin([dana, invited], invited)).toBe(false);
    expect(isLastAdmin([], dana)).toBe(false);
  });
});

describe('searching people', () => {
  it('matches names and emails, ignoring case and accents', () => {
    expect(matching([dana, sam], ' LEE ')).toEqual([sam]);
    expect(matching([dana, sam], 'dana@')).toEqual([dana]);
    expect(matching([dana, sam], 'dána')).toEqual([dana]);
    expect(matching([dana, sam], '')).toEqual([dana, sam]);
    expect(matching([dana, sam], 'nobody')).toEqual([]);
  });
});

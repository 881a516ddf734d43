import { describe, expect, it } from 'vitest';
import { TestStorage } from '../../test/support/browser.ts';
import { type Entry, keep, OUTBOX, settle, waiting } from './outbox.ts';

const DAY = 86_400_000;
const draft = (uuid: string, response: unknown) => ({ uuid, block: 'OpenText', response });
const entry = (key: string, ...responses: Entry['responses'][number][]): Entry => ({
  key,
  formId: 'FORM_Pier04',
  responses,
  kept: Date.now(),
});

describe('the outbox', () => {
  it('stores one entry per submission, with the newest answer to each block', () => {
    const storage = new TestStorage();
    expect(keep(storage, entry('one', draft('a', 'first'), draft('b', 'kept')))).toBe(true);
    keep(storage, entry('two', draft('a', 'other')));
    keep(storage, { ...entry('one', draft('a', 'second')), kept: 0 });
    const [two, one] = waiting(storage);
    expect(two).toMatchObject({ key: 'two', responses: [draft('a', 'other')] });
    expect(one).toMatchObject({ key: 'one', responses: [draft('a', 'second'), draft('b', 'kept')] });
    expect(one?.kept).toBeGreaterThan(0);
  });

  it('keeps contact details that a later, empty field doesn’t replace', () => {
    const storage = new TestStorage();
    const contactEntry = (response: object) => entry('one', { uuid: 'c', block: 'ContactMe', response });
    keep(storage, contactEntry({ answer: 'Yes', phone: '040 12345' }));
    keep(storage, contactEntry({ answer: 'Yes', email: 'ann@example.org' }));
    expect(waiting(storage)[0]?.responses).toMatchObject([{ response: { answer: 'Yes', phone: '040 12345', email: 'ann@example.org' } }]);
    keep(storage, contactEntry({ answer: 'No' }));
    expect(waiting(storage)[0]?.responses).toMatchObject([{ response: { answer: 'No' } }]);
  });

  it('removes answers that were sent, but not later ones', () => {
    const storage = new TestStorage();
    const sent = entry('one', draft('a', 'first'), draft('b', 'whole'));
    keep(storage, sent);
    keep(storage, entry('one', draft('a', 'second')));
    settle(storage, sent, true);
    expect(waiting(storage)).toMatchObject([{ key: 'one', responses: [draft('a', 'second')] }]);
    settle(storage, entry('one', draft('a', 'second')), true);
    expect(waiting(storage)).toEqual([]);
    expect(storage.getItem(OUTBOX)).toBeNull();
  });

  it('keeps an accepted answer that was given again after another one, which may arrive later than it', () => {
    const storage = new TestStorage();
    const first = { ...entry('one', draft('a', 'first')), changed: 1 };
    const again = { ...first, changed: 3 };
    keep(storage, first);
    keep(storage, { ...entry('one', draft('a', 'second')), changed: 2 });
    keep(storage, again);
    settle(storage, first, true);
    expect(waiting(storage)).toMatchObject([again]);
    settle(storage, first, false);
    expect(waiting(storage)).toEqual([]);
  });

  it('returns false if nothing can be stored', () => {
    const full = new TestStorage(10);
    expect(keep(full, entry('one', draft('a', 'first')))).toBe(false);
    expect(waiting(full)).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['no list', '{"key":"one"}'],
    ['nothing', 'null'],
    ['entries of another shape', '[null, 3, {"key":"one"}, {"key":1,"formId":"FORM_Pier04","responses":[],"kept":1}]'],
  ])('is empty if storage contains %s', (_name, text) => {
    const storage = new TestStorage();
    storage.setItem(OUTBOX, text);
    expect(waiting(storage)).toEqual([]);
    expect(keep(storage, entry('two', draft('a', 'x')))).toBe(true);
    expect(waiting(storage)).toHaveLength(1);
  });

  it('drops entries after ninety days', () => {
    const storage = new TestStorage();
    keep(storage, { ...entry('old', draft('a', 'x')), kept: Date.now() - 91 * DAY });
    keep(storage, { ...entry('new', draft('a', 'x')), kept: Date.now() - 89 * DAY });
    expect(waiting(storage).map(({ key }) => key)).toEqual(['new']);
  });
});

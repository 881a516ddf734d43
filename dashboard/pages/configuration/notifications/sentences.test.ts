import { expect, it } from 'vitest';
import { escalationSentences, quietSentence } from './sentences.ts';

it('says what quiet hours do, over midnight and within a day, with a clock and without', () => {
  expect(quietSentence({ from: '22:00', to: '07:00' }, { data: { timeZone: 'America/New_York' } })).toBe(
    'Every day from 22:00 to 07:00 the next day, in the property’s time zone (America/New York). Alerts that nobody has opened by 07:00 are sent as one email then.',
  );
  expect(quietSentence({ from: '13:00', to: '15:00' }, { data: {} })).toMatch(/^Every day from 13:00 to 15:00, in UTC\. Alerts/);
});

it('says who hears next, one after the other', () => {
  expect(escalationSentences({ after: 30, names: ['Sam', 'Dana'] })).toEqual([
    'When nobody has opened an alert after 30 minutes, Sam gets an email.',
    'When nobody has opened it 30 minutes later, Dana does.',
  ]);
  expect(escalationSentences({ after: 60, names: ['Sam'] })[0]).toContain('after an hour,');
  expect(escalationSentences({ after: 240, names: ['Sam'] })[0]).toContain('after 4 hours,');
  expect(escalationSentences({ after: 90, names: ['Sam'] })[0]).toContain('after 90 minutes,');
});

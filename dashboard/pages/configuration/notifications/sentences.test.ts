import { expect, it } from 'vitest';
import { escalationSentences, quietSentence } from './sentences.ts';

it('words quiet hours past midnight and within a day, with and without a time zone', () => {
  expect(quietSentence({ from: '22:00', to: '07:00' }, { data: { timeZone: 'America/New_York' } })).toBe(
    'Every day from 22:00 to 07:00 the next day, in the property’s time zone (America/New York). Alerts still unopened at 07:00 are then sent as one email.',
  );
  expect(quietSentence({ from: '13:00', to: '15:00' }, { data: {} })).toMatch(/^Every day from 13:00 to 15:00, in UTC\. Alerts/);
});

it('words each step of the escalation', () => {
  expect(escalationSentences({ after: 30, names: ['Sam', 'Dana'] })).toEqual([
    'If no one opens an alert within 30 minutes, Sam gets an email.',
    'If it’s still unopened 30 minutes later, Dana gets one too.',
  ]);
  expect(escalationSentences({ after: 60, names: ['Sam'] })[0]).toContain('within an hour,');
  expect(escalationSentences({ after: 240, names: ['Sam'] })[0]).toContain('within 4 hours,');
  expect(escalationSentences({ after: 90, names: ['Sam'] })[0]).toContain('within 90 minutes,');
});

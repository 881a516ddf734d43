import { expect, it } from 'vitest';
import { airport, pier } from '#fixtures/business.ts';
import { stepsLeft } from './steps-left.ts';

const NEW = { hasAnswer: false, answers: 0, properties: [airport], people: 1 };

it('lists the setup steps that the data show as not done', () => {
  expect(stepsLeft(NEW)).toEqual(['try', 'print', 'links', 'invite']);
  expect(stepsLeft({ ...NEW, hasAnswer: true })).toEqual(['print', 'links', 'invite']);
  expect(stepsLeft({ ...NEW, answers: 1 })).toEqual(['links', 'invite']);
  expect(stepsLeft({ ...NEW, properties: [airport, pier] })).toEqual(['try', 'print', 'invite']);
  expect(stepsLeft({ hasAnswer: true, answers: 2, properties: [pier], people: 2 })).toEqual([]);
});

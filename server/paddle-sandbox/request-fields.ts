import type { ICustomData, ITimePeriod } from '@paddle/paddle-node-sdk';
import { badField } from './api-error.ts';

/** The fields of a request's body. What is missing or of another kind is refused as `invalid_field`. */
export interface Fields {
  has(name: string): boolean;
  isNull(name: string): boolean;
  text(name: string): string;
  optionalText(name: string): string | undefined;
  optionalNumber(name: string): number | undefined;
  object(name: string): Fields;
  list(name: string): Fields[];
  optionalPeriod(name: string): ITimePeriod | undefined;
  /** `custom_data`; null where there is none. */
  customData(): ICustomData | null;
}

const INTERVALS: readonly unknown[] = ['day', 'week', 'month', 'year'];

export function fieldsOf(body: unknown, path = ''): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badField(path || 'body', 'must be an object');
  const values = new Map<string, unknown>(Object.entries(body));
  const named = (name: string): string => (path ? `${path}.${name}` : name);
  const fields: Fields = {
    has: (name) => values.get(name) !== undefined && values.get(name) !== null,
    isNull: (name) => values.get(name) === null,
    text(name) {
      const text = fields.optionalText(name);
      if (text === undefined || text === '') throw badField(named(name), 'must be provided as part of the request');
      return text;
    },
    optionalText(name) {
      if (!fields.has(name)) return undefined;
      const value = values.get(name);
      if (typeof value !== 'string' || value.length > 2_000) throw badField(named(name), 'must be a string');
      return value;
    },
    optionalNumber(name) {
      if (!fields.has(name)) return undefined;
      const value = values.get(name);
      if (typeof value !== 'number') throw badField(named(name), 'must be a number');
      return value;
    },
    object: (name) => fieldsOf(values.get(name), named(name)),
    list(name) {
      const value = values.get(name);
      if (!Array.isArray(value) || value.length > 100) throw badField(named(name), 'must be a list');
      return value.map((each) => fieldsOf(each, named(name)));
    },
    optionalPeriod(name) {
      if (!fields.has(name)) return undefined;
      const period = fields.object(name);
      const [interval, frequency] = [period.text('interval'), period.optionalNumber('frequency') ?? 0];
      if (!INTERVALS.includes(interval)) throw badField(named(`${name}.interval`), 'must be day, week, month or year');
      if (!Number.isInteger(frequency) || frequency < 1 || frequency > 999) throw badField(named(`${name}.frequency`), 'must be 1 or more');
      return { interval: interval as ITimePeriod['interval'], frequency };
    },
    customData() {
      if (!fields.has('custom_data')) return null;
      fields.object('custom_data');
      return values.get('custom_data') as ICustomData;
    },
  };
  return fields;
}

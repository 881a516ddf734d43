import * as v from 'valibot';
import { expect, it } from 'vitest';
import { type ServiceName, services } from '../services.ts';
import type { Service } from './operation.ts';
import { sampleCall } from './samples.ts';

const calls = Object.entries<Service>(services).flatMap(([service, operations]) =>
  // The keys are the names of the services.
  Object.keys(operations).map((action) => [service as ServiceName, action] as const),
);

it.each(calls)('%s.%s accepts its sample call', (service, action) => {
  const { service: sampleService, action: sampleAction, ...input } = sampleCall(service, action) as { service: string; action: string };
  expect([sampleService, sampleAction]).toEqual([service, action]);
  const { success, issues } = v.safeParse((services[service] as Service)[action]?.input as v.GenericSchema, input);
  expect([success, issues]).toEqual([true, undefined]);
});

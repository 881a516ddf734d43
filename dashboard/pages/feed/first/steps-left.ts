import type { Property } from '#contract/property/property.ts';

/** A setup step. */
export type FirstStep = 'try' | 'print' | 'links' | 'invite';

interface SetupProgress {
  /** True if there is any answer, including tests. */
  readonly hasAnswer: boolean;
  /** The number of visitors' answers. */
  readonly answers: number;
  readonly properties: readonly Property[];
  /** The number of teammates, including invited people. */
  readonly people: number;
}

/** Returns the steps that aren't done, in their order. Derived from the data; there is nothing to tick off. */
export function stepsLeft({ hasAnswer, answers, properties, people }: SetupProgress): FirstStep[] {
  const done: Readonly<Record<FirstStep, boolean>> = {
    try: hasAnswer || answers > 0,
    // A visitor's answer proves that the code is up somewhere.
    print: answers > 0,
    links: properties.some(({ data }) => data.service.length > 0),
    invite: people > 1,
  };
  return (['try', 'print', 'links', 'invite'] as const).filter((step) => !done[step]);
}

import type { Property } from '#contract/property/property.ts';

/** What is to be done before a form works for a business, in its order. */
export type FirstStep = 'try' | 'print' | 'links' | 'invite';

interface BusinessStanding {
  /** Whether any answer is there, a test or not. */
  readonly hasAnswer: boolean;
  /** How many visitors answered. */
  readonly answers: number;
  readonly properties: readonly Property[];
  /** The people of the team, and those who are invited. */
  readonly people: number;
}

/** What is left to do. Each step is gone once it is done, as the data show: nobody ticks it off. */
export function stepsLeft({ hasAnswer, answers, properties, people }: BusinessStanding): FirstStep[] {
  const done: Readonly<Record<FirstStep, boolean>> = {
    try: hasAnswer || answers > 0,
    // That a code hangs somewhere shows by the first answer of a visitor.
    print: answers > 0,
    links: properties.some(({ data }) => data.service.length > 0),
    invite: people > 1,
  };
  return (['try', 'print', 'links', 'invite'] as const).filter((step) => !done[step]);
}

/** Runs two actions alternately. Returns how often the second takes longer, from 0 to 1: 0.5 if timing can't tell them apart. */
export async function shareOfLonger(
  rounds: number,
  first: (round: number) => Promise<unknown>,
  second: (round: number) => Promise<unknown>,
): Promise<number> {
  const times: [first: number[], second: number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const turn of round % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const start = performance.now();
      await (turn === 0 ? first : second)(round);
      times[turn].push(performance.now() - start);
    }
  }
  const pairs = times[0].flatMap((a) => times[1].map((b): number => (b > a ? 1 : 0)));
  return pairs.reduce((sum, each) => sum + each, 0) / pairs.length;
}

/** How often one of two things that are done by turns takes longer, from 0 to 1 (the AUC): about a half where no clock tells them apart. */
export async function shareOfLonger(
  rounds: number,
  first: (round: number) => Promise<unknown>,
  second: (round: number) => Promise<unknown>,
): Promise<number> {
  const times: [first: number[], second: number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const which of round % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const start = performance.now();
      await (which === 0 ? first : second)(round);
      times[which].push(performance.now() - start);
    }
  }
  const pairs = times[0].flatMap((one) => times[1].map((other): number => (other > one ? 1 : 0)));
  return pairs.reduce((sum, each) => sum + each, 0) / pairs.length;
}

/** Returns a select's choices with the stored number, which the API may have set to another. */
export const numberChoices = (numbers: readonly number[], stored: number | undefined, labelOf: (number: number) => string) =>
  [...new Set([...numbers, stored])]
    .filter((number) => number !== undefined)
    .sort((a, b) => a - b)
    .map((number) => ({ value: String(number), label: labelOf(number) }));

/** What a look at one thing found. */
export interface Found {
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly said: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface Finding extends Found {
  /** What was looked at. */
  readonly check: string;
}

export const well = (said: string): Found => ({ state: 'ok', said });

/** A look that fails is a finding, too: it hides no other. */
export async function looked(check: string, look: () => Promise<Found>): Promise<Finding> {
  try {
    return { check, ...(await look()) };
  } catch (error) {
    return { check, state: 'wrong', said: (error as Error).message };
  }
}

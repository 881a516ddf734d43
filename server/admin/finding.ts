export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly message: string;
  /** How to fix it. */
  readonly advice?: string;
}

export interface Finding extends CheckResult {
  readonly check: string;
}

export const ok = (message: string): CheckResult => ({ state: 'ok', message });

/** Runs a check; returns an error as a finding, so that it doesn't hide the others. */
export async function runCheck(check: string, run: () => Promise<CheckResult>): Promise<Finding> {
  try {
    return { check, ...(await run()) };
  } catch (error) {
    return { check, state: 'wrong', message: (error as Error).message };
  }
}

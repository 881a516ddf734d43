/** How long tests wait (ms): about ten times what the slowest needs on an idle machine, so that only a hang fails on a busy one. */
export const PATIENT = { timeout: 180_000, interval: 20 };

/** Retries while the database is busy, which a slow machine's is. */
export async function unlessBusy<T extends { readonly status: number }>(attempt: () => Promise<T>): Promise<T> {
  const answer = await attempt();
  return answer.status === 503 ? unlessBusy(attempt) : answer;
}

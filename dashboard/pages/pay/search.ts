/** The transaction id in the address. The provider's program reads it there too. */
interface PaySearch {
  readonly _ptxn?: string;
}

export const readPaySearch = (raw: Record<string, unknown>): PaySearch =>
  raw['_ptxn'] === undefined ? {} : { _ptxn: String(raw['_ptxn']) };

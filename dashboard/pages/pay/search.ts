/** The provider's part of the address: the payment that it links to. Its program reads the address as well. */
export interface PaySearch {
  readonly _ptxn?: string;
}

export const readPaySearch = (raw: Record<string, unknown>): PaySearch =>
  raw['_ptxn'] === undefined ? {} : { _ptxn: String(raw['_ptxn']) };

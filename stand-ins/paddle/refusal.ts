/** An error that the API returns; callers read its code. */
export class PaddleRefusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, detail: string, status = 400) {
    super(detail);
    this.code = code;
    this.status = status;
  }
}

/** Returns the record with an id. Throws `not_found`. */
export function byId<Row>(records: Readonly<Record<string, Row>>, id: string): Row {
  const record = Object.hasOwn(records, id) ? records[id] : undefined;
  if (record === undefined) throw new PaddleRefusal('not_found', `Entity ${id} not found`, 404);
  return record;
}

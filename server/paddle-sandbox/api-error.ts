/** A refusal of the API, as Paddle words it: a status, a code, and a sentence. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** The fields that are wrong. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];

  constructor(status: number, code: string, detail: string, errors: ApiRefusal['errors'] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

export const badField = (field: string, message: string): ApiRefusal =>
  new ApiRefusal(400, 'invalid_field', 'Request does not pass validation.', [{ field, message }]);

export const notFound = (what: string): ApiRefusal => new ApiRefusal(404, 'not_found', `${what} not found.`);

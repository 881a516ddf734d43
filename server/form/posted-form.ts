import type { FastifyRequest } from 'fastify';
import { PLACEMENT, USER_ID } from '#contract/core/ids.ts';
import { SIGNED_ORDER } from '#contract/feedback/order-number.ts';
import type { Block } from '#contract/form/form.ts';
import {
  AT_FIELD,
  CHANGED_FIELD,
  type Draft,
  draftsOf,
  formPath,
  KEY_FIELD,
  LANGUAGE_FIELD,
  type NoticeName,
  type Origin,
  originOf,
  REF_FIELD,
  SCRIPT_FIELD,
  TEST_FIELD,
  USER_ID_FIELD,
  VERSION_FIELD,
} from '#contract/form/form-page.ts';
import { stepOf } from '#contract/form/steps.ts';
import type { LanguageTag } from '#contract/language/languages.ts';
import { pageLanguage } from './language.ts';
import { KEY } from './opening.ts';
import type { PublicForm } from './store.ts';

export type PostRequest = FastifyRequest<{ Params: { formId: string }; Querystring: Record<string, string | undefined> }>;

/** A form as a browser posted it. */
export interface PostedForm extends Origin {
  readonly target: PublicForm;
  readonly fields: URLSearchParams;
  readonly key: string;
  readonly drafts: readonly Draft[];
  readonly left: readonly string[];
  readonly hasScript: boolean;
  readonly userId: string | undefined;
  /** The version that the page showed. */
  readonly formVersion: number | undefined;
  readonly language: LanguageTag;
  /** When the answers were last changed, by the device's clock (UTC ms). */
  readonly changed: number | undefined;
  /** Shown on the last page. */
  readonly notice?: NoticeName | undefined;
}

/** Reads a post. A missing or malformed key is replaced by a new one. */
export function postedForm(request: PostRequest, target: PublicForm, makeKey: () => string): PostedForm {
  const { body, query } = request;
  const fields = body instanceof URLSearchParams ? body : new URLSearchParams();
  const valid = (name: string, shape: RegExp) => firstMatch(shape, fields.get(name), query[name]);
  return {
    target,
    fields,
    key: firstMatch(KEY, fields.get(KEY_FIELD)) ?? makeKey(),
    drafts: draftsIn({ target, fields }, []),
    left: [],
    hasScript: fields.has(SCRIPT_FIELD),
    userId: valid(USER_ID_FIELD, USER_ID),
    formVersion: numberIn(fields, VERSION_FIELD, /^[1-9]\d{0,8}$/),
    changed: numberIn(fields, CHANGED_FIELD, /^-?\d{1,15}$/),
    at: valid(AT_FIELD, PLACEMENT),
    ref: valid(REF_FIELD, SIGNED_ORDER),
    language: target.languages.find((tag) => tag === fields.get(LANGUAGE_FIELD)) ?? pageLanguage(request, target),
    ...(valid(TEST_FIELD, /^1$/) && { test: true as const }),
  };
}

export const blocksOf = ({ form }: PublicForm): readonly Block[] => stepOf(form.data.steps, 'experience').blocks ?? [];

/** Returns the posted answers, given the blocks that the visitor left out before. */
export const draftsIn = ({ target, fields }: Pick<PostedForm, 'target' | 'fields'>, left: readonly string[]): readonly Draft[] =>
  draftsOf(blocksOf(target), (name) => fields.get(name) ?? undefined, left);

/** A post as `feedback.save` accepts it. */
export interface SentForm {
  readonly idempotencyKey: string;
  readonly payload: {
    readonly data: Origin & {
      readonly formId: string;
      readonly formVersion?: number | undefined;
      readonly language?: LanguageTag;
      readonly changed?: number | undefined;
      readonly responses: readonly Draft[];
      readonly url?: string;
      readonly userId?: string | undefined;
    };
  };
}

export function sentForm(
  { target, key, drafts, userId, formVersion, language, changed, ...origin }: PostedForm,
  publicUrl: string,
): SentForm {
  const url = publicUrl + formPath(target.form.id);
  return {
    idempotencyKey: key,
    payload: { data: { formId: target.form.id, responses: drafts, url, formVersion, language, changed, userId, ...originOf(origin) } },
  };
}

/** Returns undefined for another shape, and for pages from before the field was included. */
function numberIn(fields: URLSearchParams, name: string, shape: RegExp): number | undefined {
  const value = fields.get(name);
  return value !== null && shape.test(value) ? Number(value) : undefined;
}

/** Returns the first value of this shape. Ignores others, so that a wrong link loses no feedback. */
const firstMatch = (shape: RegExp, ...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && shape.test(value));

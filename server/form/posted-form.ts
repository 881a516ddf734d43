import type { FastifyRequest } from 'fastify';
import { PLACEMENT, USER_ID } from '#contract/core/ids.ts';
import { SIGNED_ORDER } from '#contract/feedback/order-number.ts';
import type { Block } from '#contract/form/form.ts';
import {
  AT_FIELD,
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
    formVersion: versionIn(fields.get(VERSION_FIELD)),
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
      readonly responses: readonly Draft[];
      readonly url?: string;
      readonly userId?: string | undefined;
    };
  };
}

export function sentForm({ target, key, drafts, userId, formVersion, language, ...origin }: PostedForm, publicUrl: string): SentForm {
  const url = publicUrl + formPath(target.form.id);
  return {
    idempotencyKey: key,
    payload: { data: { formId: target.form.id, responses: drafts, url, formVersion, language, userId, ...originOf(origin) } },
  };
}

/** Returns undefined for pages from before the version was included. */
const versionIn = (value: string | null): number | undefined =>
  value !== null && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;

/** Returns the first value of this shape. Ignores others, so that a wrong link loses no feedback. */
const firstMatch = (shape: RegExp, ...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && shape.test(value));

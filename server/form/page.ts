import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newIdempotencyKey } from '#contract/core/ids.ts';
import { EMBED_SCRIPT_PATH, FORM_SCOPE, FORM_WORKER, PREVIEW_PATH } from '#contract/form/form-page.ts';
import { REVIEW_SERVICES } from '#contract/form/review.ts';
import { blockOf, servicesOf, stepOf } from '#contract/form/steps.ts';
import type { Platform } from '../platform/context.ts';
import { acceptForms, FORM_BODY } from '../platform/http/http.ts';
import { refusalOf } from '../platform/http/problem.ts';
import { sha256 } from '../platform/sha256.ts';
import { createFormHtml } from './html.ts';
import { pageLanguage } from './language.ts';
import { createNativePost, type NativePostOptions } from './native-post.ts';
import { createOpening, isVisit, KEY, type OpeningOptions } from './opening.ts';
import { privacyPage } from './privacy-page.ts';
import { openVisitKeys } from './visit-key.ts';

type FormPageOptions = Omit<OpeningOptions & NativePostOptions, 'platform' | 'html' | 'makeKey' | 'visitKeys' | 'publicUrl'> & {
  readonly platform: Pick<Platform, 'log' | 'random' | 'config' | 'secret'>;
};

type PrivacyRequest = FastifyRequest<{ Params: { formId: string } }>;

/** Adds the public form's addresses: `/feedback/{formId}`, its native post, the redirect to a review service and its privacy page. */
export function addFormPage(http: FastifyInstance, options: FormPageOptions): void {
  const html = createFormHtml(options.document);
  const makeKey = () => newIdempotencyKey(options.platform.random);
  const visitKeys = openVisitKeys(options.platform.secret);
  const openReview = createReviewRedirect({ ...options, html });

  void http.register(async (scope) => {
    acceptForms(scope);
    scope.get('/feedback/:formId', createOpening({ ...options, html, makeKey, visitKeys }));
    scope.post(
      '/feedback/:formId',
      { bodyLimit: FORM_BODY },
      createNativePost({ ...options, html, makeKey, publicUrl: options.platform.config.publicUrl }),
    );
    scope.get('/feedback/:formId/review/:service', openReview);
    scope.get('/feedback/:formId/privacy', { config: { sheds: 'team' } }, async (request: PrivacyRequest, reply) => {
      try {
        const target = await options.forms.byId(request.params.formId);
        if (!target) return await html.sendClosed(request, reply, target);
        const language = pageLanguage(request, target);
        return await html.sendContent(request, reply, privacyPage({ target, language, bundle: options.document.bundle }));
      } catch (error) {
        return html.sendTrouble(request, reply, error);
      }
    });
    scope.get(PREVIEW_PATH, async (_request, reply) => {
      const { html: page, contentSecurityPolicy } = options.document.preview;
      return html.addHeaders(reply).header('content-security-policy', contentSecurityPolicy).send(page);
    });
    scope.get(FORM_WORKER, async (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('service-worker-allowed', FORM_SCOPE)
        .header('content-security-policy', "default-src 'none'; connect-src 'self'")
        .send(options.document.worker),
    );
    addEmbedScript(scope, options.document.embed);
    scope.get('/feedback/*', (request, reply) => html.sendClosed(request, reply, undefined));
  });
}

/** Adds the script for other sites' pages. Its address never changes, so browsers ask whether the script has. */
function addEmbedScript(http: FastifyInstance, script: string): void {
  const etag = `"${sha256(script).toString('base64url')}"`;
  http.get(EMBED_SCRIPT_PATH, async ({ headers }, reply) => {
    void reply.headers({ etag, 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'cross-origin' });
    if (headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(script);
  });
}

type ReviewRequest = FastifyRequest<{ Params: { formId: string; service: string }; Querystring: Record<string, string | undefined> }>;

/** Redirects to a review service and stores that as `converted`. Redirects even if that can't be stored. */
function createReviewRedirect({
  platform,
  forms,
  save,
  html,
}: Pick<FormPageOptions & NativePostOptions, 'platform' | 'forms' | 'save' | 'html'>) {
  return async (request: ReviewRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const target = await forms.byId(request.params.formId);
    const name = REVIEW_SERVICES.find((service) => service === request.params.service);
    const service = target && !target.closed ? servicesOf(target.form.data.steps).find((link) => link.name === name) : undefined;
    if (!target || !service) return html.sendClosed(request, reply, undefined);
    const block = blockOf(stepOf(target.form.data.steps, 'spread the word'), 'ExternalReview');
    const key = request.query['key'] ?? '';
    if (block && KEY.test(key) && isVisit(request)) {
      const responses = [{ uuid: block.uuid, block: block.blockType, response: { service: service.name } }];
      await save(request, { idempotencyKey: key, payload: { data: { formId: target.form.id, responses } } }).catch((error: unknown) => {
        if (!refusalOf(error)) platform.log.error({ err: error }, 'could not count an opened review');
      });
    }
    return reply.header('cache-control', 'no-store').redirect(service.url, 303);
  };
}

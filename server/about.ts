import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { costsInWords, OFFERED_PLANS, TEST_MODE, TRIAL_DAYS } from '#contract/billing/billing.ts';
import { formPath } from '#contract/form/form-page.ts';
import { inEnglish, translator } from '#contract/language/translate.ts';
import type { Config } from './platform/config/config.ts';
import { html } from './platform/http/markup.ts';

/* The first page that a stranger reads, and its pictures, which are those of the guides. */

const PICTURES = path.resolve(import.meta.dirname, '../docs/images');
const THEMES = ['light', 'dark'] as const;
/** Pictures of a phone, in CSS pixels. */
const SIZE = { width: 375, height: 640 };

/** Serves the pictures. A day is short enough for a new release's to appear. */
export async function addAboutPictures(http: FastifyInstance): Promise<void> {
  const names = ['feed', 'form'].flatMap((screen) => THEMES.map((theme) => fileOf(screen, theme)));
  for (const name of names) {
    const content = await readFile(path.join(PICTURES, name));
    http.get(`/about/${name}`, async (_request, reply) =>
      reply.type('image/webp').header('cache-control', 'public, max-age=86400').send(content),
    );
  }
}

const fileOf = (screen: string, theme: (typeof THEMES)[number]): string => `${screen}-phone-${theme}.webp`;

interface AboutOptions {
  readonly config: Pick<Config, 'billing' | 'registration'>;
  /** The id of a form that anyone may try, if there is one. */
  readonly sampleForm: string | undefined;
}

/** Returns what the product is, how it looks, what it costs, and the ways in. */
export const about = ({ config, sampleForm }: AboutOptions) => html`<div class="split"><div>
<h1>Feedback from the people who visit your business</h1>
<p class="lead">A visitor scans a code, taps a face and is done, and your team is notified at once.</p>
<p class="actions">${config.registration === 'open' ? html`<a class="primary" href="/signup">Sign up</a><a href="/">Sign in</a>` : html`<a class="primary" href="/">Sign in</a>`}<a href="/demo">Try the demo</a>${sampleForm === undefined ? '' : html`<a href="${formPath(sampleForm)}">Try a form</a>`}</p>
${price(config)}</div>
<div class="pictures">${picture('form', { alt: 'A form that asks how it was, with five faces from awful to great', caption: 'What a visitor sees.' })}${picture('feed', { alt: 'A list of feedback with faces, words and who works on it', caption: 'What your team sees.' })}</div>
<div>
<h2>For visitors</h2>
<p>No account, no app, no cookie. Your answer goes only to the business whose form it is. Happy visitors are invited to write a public review, unhappy ones get an apology.</p>
<h2>For teams</h2>
<p>Each place has its own form. Feedback arrives in one list, with what needs a response on top, and numbers that you can trust. <a href="/docs">Read the docs</a></p>
<p class="quiet"><a href="/privacy">Privacy policy</a> · <a href="/terms">Terms of service</a></p>
</div></div>`;

const english = translator(() => ({ language: 'en' }));

const price = ({ billing }: Pick<Config, 'billing'>) =>
  billing === undefined || billing.kind === 'none'
    ? ''
    : html`<p class="price">${OFFERED_PLANS.map((plan) => html`<strong>${plan} plan:</strong> ${costsInWords(english, plan)}.`)} All plans come with a ${TRIAL_DAYS} day free trial. No card is needed to start it.${billing.kind === 'sandbox' ? ` ${inEnglish(TEST_MODE)}` : ''}</p>`;

const picture = (screen: string, { alt, caption }: { alt: string; caption: string }) =>
  html`<figure><picture><source media="(prefers-color-scheme: dark)" srcset="/about/${fileOf(screen, 'dark')}"><img src="/about/${fileOf(screen, 'light')}" width="${SIZE.width}" height="${SIZE.height}" alt="${alt}"></picture><figcaption>${caption}</figcaption></figure>`;

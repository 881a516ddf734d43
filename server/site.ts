import type { FastifyInstance, FastifyReply } from 'fastify';
import { TEST_MODE } from '#contract/billing/billing.ts';
import { inEnglish } from '#contract/language/translate.ts';
import { about, addAboutPictures } from './about.ts';
import type { FormReader } from './form/store.ts';
import type { Config } from './platform/config/config.ts';
import { html } from './platform/http/markup.ts';
import { sendPlainPage } from './platform/http/plain-page.ts';
import { openSampleForm } from './sample.ts';

type SiteConfig = Pick<Config, 'analytics' | 'billing' | 'legal' | 'publicUrl' | 'registration' | 'website'>;

interface SiteOptions {
  readonly config: SiteConfig;
  readonly forms: FormReader;
}

/**
 * Adds the pages about the product, its privacy policy and its terms. If the settings name the operator's own policy or terms, these
 * paths redirect there, so that links to them stay the same.
 */
export async function addSite(http: FastifyInstance, { config, forms }: SiteOptions): Promise<void> {
  const { termsUrl, privacyUrl } = config.legal;
  await addAboutPictures(http);
  http.get('/about', async (_request, reply) => {
    const sampleForm = await openSampleForm(forms);
    return send(reply, { title: 'What Afterword is', body: about({ config, sampleForm }) });
  });
  addPage(http, '/privacy', privacyUrl ?? { title: 'Privacy policy', body: privacy(config) });
  addPage(http, '/terms', termsUrl ?? { title: 'Terms of service', body: terms(config) });
}

interface SitePage {
  readonly title: string;
  readonly body: ReturnType<typeof html>;
}

function addPage(http: FastifyInstance, path: string, page: SitePage | string): void {
  http.get(path, async (_request, reply) =>
    typeof page === 'string'
      ? reply.header('cache-control', 'no-cache').redirect(page, 302)
      : send(reply, { title: page.title, body: html`<h1>${page.title}</h1>${page.body}` }),
  );
}

/** The logo and the name (dashboard/ui/page/Wordmark.tsx). */
const HOME = html`<a class="home" href="/about"><svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="7"/><path d="M7.2 15.6c2-1 2.9-2.2 2.9-3.9H7.4V8.2h4v3.2c0 2.7-1.1 4.5-3.4 5.6zM13.6 15.6c2-1 2.9-2.2 2.9-3.9h-2.7V8.2h4v3.2c0 2.7-1.1 4.5-3.4 5.6z"/></svg>Afterword</a>`;

const send = (reply: FastifyReply, { title, body }: SitePage): FastifyReply =>
  sendPlainPage(reply, { title: `${title} · Afterword`, body: html`${HOME}${body}`, cacheControl: 'no-cache', look: 'site' });

/** Returns who runs the installation: their name, or its host. */
const operatorOf = ({ legal, publicUrl }: SiteConfig): string => legal.name ?? `the operator of ${new URL(publicUrl).host}`;

const contactOf = ({ legal }: SiteConfig) =>
  legal.email === undefined
    ? html`Ask the business whose form you answered, or the person who gave you access to this site.`
    : html`Write to <a href="mailto:${legal.email}">${legal.email}</a>.`;

const privacy = (config: SiteConfig) => html`
<p>This installation of Afterword is run by ${operatorOf(config)}. This page explains which data it stores about you, why, and for how long.</p>
<h2>If you answer a form</h2>
<ul>
<li>Your rating, what you write, and, if you ask to be contacted, the name, phone number or email that you give. The business whose form it is reads them to improve and to reply to you.</li>
<li>The time, the size of your screen, the address of the form, and anything about you that the business put into that address, such as a customer number.</li>
<li>Your network address, only as a one-way code and for at most two days, to tell a flood from one place from a crowd.</li>
<li>No cookies are set, nothing is loaded from other companies, and nobody follows you to other sites. If you choose to open a review on Google or Yelp, their rules apply there.</li>
<li>An answer that couldn’t be sent yet is stored on your device, and deleted there once it has arrived, or after 90 days.</li>
<li>If you rate from an email, your device remembers that answer, so that another face in the same email changes it for an hour.</li>
<li>You can change your answer for an hour on the device that you used. The business stores it until it deletes it.</li>
</ul>
<h2>If you belong to a team</h2>
<ul>
<li>Your name, your email address, your picture if you add one, and your password as a one-way code.</li>
<li>When and with which browser you signed in, and a shortened network address, so that you can see if someone else uses your account.</li>
<li>Changes you make that affect others, such as who was invited or removed.</li>
<li>When an account is deleted, its data is hidden at once and erased after seven days.</li>
</ul>
<h2>Who else sees it</h2>
<p>No data is sold, and ${analyticsIn(config)} Mails to the team go through the mail server that the operator chose. As with any service, the operator has access to the database; what operators do with accounts in the product is logged.</p>
<h2>Your rights</h2>
<p>You can ask which data is stored about you, and have it corrected or erased. ${contactOf(config)}</p>`;

const analyticsIn = ({ analytics }: SiteConfig): string =>
  analytics
    ? `the team’s pages send page views to ${new URL(analytics.host).host}, without names, addresses or feedback. Forms send nothing, nor do browsers that ask not to be tracked.`
    : 'no analytics runs.';

const plans = ({ billing }: SiteConfig) =>
  billing && billing.kind !== 'none'
    ? html`<h2>Plans</h2>
<p>Every plan starts with a free trial. You see the price before you choose a plan, and you’re charged only what you agreed to.${billing.kind === 'sandbox' ? ` ${inEnglish(TEST_MODE)}` : ''}</p>
`
    : '';

const terms = (config: SiteConfig) => html`
<p>These terms apply between you and ${operatorOf(config)}, who runs this installation of Afterword.</p>
<h2>What you may do</h2>
<p>You may collect feedback for businesses that you act for, and work on it with your team. Your visitors’ feedback belongs to you and them; you’re responsible for how you use it.</p>
<h2>What you must not do</h2>
<ul>
<li>Collect data that you have no right to, or ask visitors for secrets such as passwords or card numbers.</li>
<li>Invite people to reviews against the rules of the service that publishes them.</li>
<li>Disrupt the service for others, or use someone else’s account.</li>
</ul>
<h2>What you can expect</h2>
<p>The service is run with care, but without a promise that it’s never interrupted. People who violate these terms can lose access. You can delete your account at any time, and restore it within seven days.</p>
${plans(config)}<h2>Liability</h2>
<p>As far as the law allows, ${operatorOf(config)} is liable only for damage caused on purpose or by gross negligence.</p>
<h2>Questions</h2>
<p>${config.legal.email === undefined ? html`Ask the person who gave you access to this site.` : contactOf(config)} The <a href="/privacy">privacy policy</a> explains how your data is handled.</p>`;

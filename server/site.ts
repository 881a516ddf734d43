import type { FastifyInstance } from 'fastify';
import { TEST_MODE } from '#contract/billing/billing.ts';
import type { Config } from './platform/config/config.ts';
import { html, sendPlainPage } from './platform/http/plain-page.ts';

type SiteConfig = Pick<Config, 'analytics' | 'billing' | 'legal' | 'publicUrl' | 'registration' | 'website'>;

/**
 * The pages that every installation has: what the product is, its privacy policy and its terms. The operator's own take the
 * place of the last two where the settings name them; the addresses stay, so that nothing that links to them changes.
 */
export function addSite(http: FastifyInstance, config: SiteConfig): void {
  const { termsUrl, privacyUrl } = config.legal;
  addPage(http, '/about', { title: 'What Afterword is', body: about(config) });
  addPage(http, '/privacy', privacyUrl ?? { title: 'Privacy policy', body: privacy(config) });
  addPage(http, '/terms', termsUrl ?? { title: 'Terms of service', body: terms(config) });
}

interface SitePage {
  readonly title: string;
  readonly body: ReturnType<typeof html>;
}

function addPage(http: FastifyInstance, path: string, page: SitePage | string): void {
  http.get(path, async (_request, reply) => {
    if (typeof page === 'string') return reply.header('cache-control', 'no-cache').redirect(page, 302);
    const body = html`<a class="home" href="/about">Afterword</a><h1>${page.title}</h1>${page.body}`;
    return sendPlainPage(reply, { title: `${page.title} · Afterword`, body, cacheControl: 'no-cache' });
  });
}

/** Who runs the installation, by name or by its address. */
const operatorOf = ({ legal, publicUrl }: SiteConfig): string => legal.name ?? `the operator of ${new URL(publicUrl).host}`;

const contactOf = ({ legal }: SiteConfig) =>
  legal.email === undefined
    ? html`Ask the business whose form you answered, or whoever gave you access to this site.`
    : html`Write to <a href="mailto:${legal.email}">${legal.email}</a>.`;

const about = ({ registration }: SiteConfig) => html`
<p>Afterword collects feedback from the people who visit a business. A visitor scans a code, taps a face and is done; whoever was happy is invited to a public review, and whoever was not gets an apology, while the team hears of it at once.</p>
<h2>For visitors</h2>
<p>No account, no app, no cookie. Your answer goes to the business whose form it is, and to nobody else.</p>
<h2>For teams</h2>
<p>Each place has its form. What visitors say arrives in one list as they say it, with what needs an answer on top, and numbers that can be trusted.</p>
<p><a href="/demo">Try the demo</a> · <a href="/docs">Read the docs</a> · ${registration === 'open' ? html`<a href="/signup">Sign up</a> · ` : ''}<a href="/">Sign in</a></p>
<p class="quiet"><a href="/privacy">Privacy policy</a> · <a href="/terms">Terms of service</a></p>`;

const privacy = (config: SiteConfig) => html`
<p>This installation of Afterword is run by ${operatorOf(config)}. This page says what it keeps about you, why, and for how long.</p>
<h2>If you answer a form</h2>
<ul>
<li>Your rating, what you write, and, if you ask to be contacted, the name, phone number or email that you give. The business whose form it is reads them, to get better and to answer you.</li>
<li>With it the time, the size of your screen, the address of the form, and what that address says about you if the business put something there, such as a customer number.</li>
<li>Your network address only as a one-way code, for two days at most, so that a flood from one place can be told from a crowd.</li>
<li>No cookie is set, nothing is loaded from other companies, and nobody follows you to other sites. If you choose to open a review on Google or Yelp, their rules apply there.</li>
<li>What could not be sent yet waits on your own device, and is deleted there once it has arrived, or after 90 days.</li>
<li>You can change your answer for an hour on the device that you gave it on. The business keeps it until it deletes it.</li>
</ul>
<h2>If you belong to a team</h2>
<ul>
<li>Your name, your email address, your picture if you add one, and your password as a one-way code.</li>
<li>When and with which browser you signed in, and a shortened network address, so that you can see who else uses your account.</li>
<li>What you changed that concerns others, such as who was invited or removed.</li>
<li>After an account is deleted its data is hidden at once, and erased after seven days.</li>
</ul>
<h2>Who else sees it</h2>
<p>Nobody is sold anything, and ${analyticsIn(config)} Mails to the team go through the mail server that the operator chose. Whoever runs the installation can reach its database, as with any service; what they do with accounts in the product is logged.</p>
<h2>Your rights</h2>
<p>You may ask what is kept about you, and have it corrected or erased. ${contactOf(config)}</p>`;

const analyticsIn = ({ analytics }: SiteConfig): string =>
  analytics
    ? `the team’s pages count which of them are seen, at ${new URL(analytics.host).host}: no name, no address, no visitor’s words, and nothing on the forms. A browser that asks not to be tracked is not counted.`
    : 'no analytics runs.';

const plans = ({ billing }: SiteConfig) =>
  billing && billing.kind !== 'none'
    ? html`<h2>Plans</h2>
<p>Every plan begins with a free trial. You see the price before you choose a plan, and you are charged only what you agreed to.${billing.kind === 'sandbox' ? ` ${TEST_MODE}` : ''}</p>
`
    : '';

const terms = (config: SiteConfig) => html`
<p>These terms hold between you and ${operatorOf(config)}, who runs this installation of Afterword.</p>
<h2>What you may do</h2>
<p>You may collect feedback for businesses that you act for, and work on it with your team. What your visitors give you stays yours and theirs; you answer for how you use it.</p>
<h2>What you must not do</h2>
<ul>
<li>Collect what you have no right to, or ask visitors for secrets such as passwords or card numbers.</li>
<li>Invite people to reviews against the rules of the service that publishes them.</li>
<li>Disturb the service for others, or use somebody else’s account.</li>
</ul>
<h2>What you can expect</h2>
<p>The service is run with care, but without a promise that it is never interrupted. Whoever uses it against these terms can be shut out. You can delete your account at any time; it can be brought back for seven days.</p>
${plans(config)}<h2>Liability</h2>
<p>As far as the law allows, ${operatorOf(config)} is liable only for damage caused on purpose or by gross negligence.</p>
<h2>Questions</h2>
<p>${config.legal.email === undefined ? html`Ask whoever gave you access to this site.` : contactOf(config)} How your data is handled stands in the <a href="/privacy">privacy policy</a>.</p>`;

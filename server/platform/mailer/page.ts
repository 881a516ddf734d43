import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { type Config, isLoopback } from '../config/config.ts';
import { isLocal, refuseUnlessLocal } from '../http/local-networks.ts';
import { html, linked } from '../http/markup.ts';
import { sendPlainPage } from '../http/plain-page.ts';
import { type ReadMail, readMail } from './eml.ts';
import { outboxFolder, outboxMail, outboxNames } from './outbox.ts';

/**
 * Adds a page with the outbox for people at this machine, unless a mail server is set. The mails contain codes, so a server that
 * others can reach, directly or through a proxy, has no such page.
 */
export function addOutboxPage(http: FastifyInstance, config: OutboxConfig & Pick<Config, 'dataDir'>): void {
  if (outboxAddress(config) === undefined) return;
  const folder = outboxFolder(config.dataDir);
  http.get(OUTBOX, async (request, reply) => {
    refuseUnlessLocal(request);
    return sendPlainPage(reply, { title: 'Outbox', body: list(await mailsIn(folder)), cacheControl: 'no-store' });
  });
  http.get<{ Params: { id: string } }>(`${OUTBOX}/:id`, async (request, reply) => {
    refuseUnlessLocal(request);
    const eml = await outboxMail(folder, `${request.params.id}.eml`);
    if (eml === undefined) throw refusal('not-found');
    const mail = await readMail(eml);
    return sendPlainPage(reply, { title: mail.subject, body: details(mail), cacheControl: 'no-store' });
  });
}

export type OutboxConfig = Pick<Config, 'mail' | 'host' | 'publicUrl' | 'roles' | 'trustedProxies'>;

/** Returns the URL of the outbox page, or undefined without details. */
export const outboxAddress = (config: OutboxConfig): string | undefined =>
  !config.mail.server && config.roles.includes('web') && isOnlyHere(config) ? `${config.publicUrl}${OUTBOX}` : undefined;

const OUTBOX = '/outbox';

/** Returns where a person finds mails: sent, in the outbox page, or (`kept`) in a folder that only the operator can read. */
export function mailsFor(request: FastifyRequest, config: OutboxConfig): PublicConfig['mails'] {
  if (config.mail.server) return 'sent';
  return outboxAddress(config) !== undefined && isLocal(request) ? 'outbox' : 'kept';
}

const isOnlyHere = ({ host, publicUrl, trustedProxies }: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>): boolean =>
  isLoopback(host) && trustedProxies === 0 && isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''));

async function mailsIn(folder: string): Promise<[id: string, mail: ReadMail][]> {
  const names = await outboxNames(folder);
  const mails = names.map(async (name): Promise<[id: string, mail: ReadMail][]> => {
    const eml = await outboxMail(folder, name);
    return eml === undefined ? [] : [[name.replace(/\.eml$/, ''), await readMail(eml)]];
  });
  return (await Promise.all(mails)).flat();
}

const list = (mails: readonly [id: string, mail: ReadMail][]) =>
  mails.length === 0
    ? html`<h1>Outbox</h1><p>No mails yet. Set SMTP_URL to send mails instead.</p>`
    : html`<h1>Outbox</h1><p>These mails weren’t sent, because SMTP_URL is not set.</p><ul>${mails.map(
        ([id, { to, subject, date }]) =>
          html`<li><a href="/outbox/${id}">${subject}</a><br><span class="quiet">to ${to}, ${date}</span></li>`,
      )}</ul>`;

const details = ({ from, to, subject, date, text }: ReadMail) =>
  html`<p><a href="/outbox">All mails</a></p><h1>${subject}</h1><dl><dt>From</dt><dd>${from}</dd><dt>To</dt><dd>${to}</dd><dt>Date</dt><dd>${date}</dd></dl><pre>${linked(text)}</pre>`;

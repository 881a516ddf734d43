import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusal } from '#contract/errors.ts';
import { type Config, isLoopback } from '../config.ts';
import { refuseUnlessLocal } from '../local.ts';
import { type ReadMail, readMail } from './eml.ts';
import { outboxFolder, outboxMail, outboxNames } from './outbox.ts';

/**
 * Shows the outbox to whoever sits at this machine, while no mail server is set. The mails hold codes, so a server that
 * others can reach, itself or through a proxy, has no such page.
 */
export function addOutboxPage(
  http: FastifyInstance,
  config: Pick<Config, 'mail' | 'host' | 'publicUrl' | 'trustedProxies' | 'dataDir'>,
): void {
  if (config.mail.server || !isOnlyHere(config)) return;
  const folder = outboxFolder(config.dataDir);
  http.get('/outbox', async (request, reply) => {
    refuseUnlessLocal(request);
    return page(reply, 'Outbox', list(await listed(folder)));
  });
  http.get<{ Params: { id: string } }>('/outbox/:id', async (request, reply) => {
    refuseUnlessLocal(request);
    const eml = await outboxMail(folder, `${request.params.id}.eml`);
    if (eml === undefined) throw refusal('not-found');
    const mail = readMail(eml);
    return page(reply, mail.subject, one(mail));
  });
}

const isOnlyHere = ({ host, publicUrl, trustedProxies }: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>): boolean =>
  isLoopback(host) && trustedProxies === 0 && isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''));

async function listed(folder: string): Promise<[id: string, mail: ReadMail][]> {
  const names = await outboxNames(folder);
  const mails = await Promise.all(names.map((name) => outboxMail(folder, name)));
  return names.flatMap((name, index) => {
    const eml = mails[index];
    return eml === undefined ? [] : [[name.replace(/\.eml$/, ''), readMail(eml)]];
  });
}

const list = (mails: readonly [id: string, mail: ReadMail][]): string =>
  mails.length === 0
    ? '<h1>Outbox</h1><p>No mail was written yet. Set SMTP_URL to send mails instead.</p>'
    : `<h1>Outbox</h1><p>These mails were not sent: no SMTP_URL is set.</p><ul>${mails
        .map(
          ([id, { to, subject, date }]) =>
            `<li><a href="/outbox/${escaped(id)}">${escaped(subject)}</a><br>to ${escaped(to)}, ${escaped(date)}</li>`,
        )
        .join('')}</ul>`;

const one = ({ from, to, subject, date, text }: ReadMail): string =>
  `<p><a href="/outbox">All mails</a></p><h1>${escaped(subject)}</h1>` +
  `<dl><dt>From</dt><dd>${escaped(from)}</dd><dt>To</dt><dd>${escaped(to)}</dd><dt>Date</dt><dd>${escaped(date)}</dd></dl>` +
  `<pre>${linked(escaped(text))}</pre>`;

/** Addresses of this site can be followed; the text is escaped before. */
const linked = (html: string): string => html.replace(/\bhttps?:\/\/[^\s<>"]+/g, (address) => `<a href="${address}">${address}</a>`);

function page(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
    .send(
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
        `<meta name="robots" content="noindex"><title>${escaped(title)}</title></head><body>${body}</body></html>`,
    );
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);

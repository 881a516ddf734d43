import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type TeamLanguage, teamLanguageOf } from '#contract/language/team.ts';

/** Enough for eight languages. Strangers choose the header, and each language in it takes time. */
const LONGEST_HEADER = 100;

/** Returns the language of a page that a link in a mail to the team opens: the browser's first that exists. */
export function teamLanguage({ headers }: Pick<FastifyRequest, 'headers'>): TeamLanguage {
  const header = (headers['accept-language'] ?? '').slice(0, LONGEST_HEADER);
  return teamLanguageOf(new Negotiator({ headers: { 'accept-language': header } }).languages());
}

import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { openLogOutput } from './output.ts';

/** Structured lines on standard output. Bodies, addresses of people and query strings never reach it (docs/rules.md#quiet-log). */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, to: DestinationStream = openLogOutput()): Logger {
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorForLog } }, to);
}

/** Warns of an error, and of the next one only after `QUIET` ms: what is away fails every look at it. */
export function warnSeldom(log: Pick<FastifyBaseLogger, 'warn'>, message: string): (error: unknown) => void {
  let quietUntil = 0;
  return (err) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + QUIET;
    log.warn({ err }, message);
  };
}

const QUIET = 60_000;

/** What may be logged of an error. A database's message and detail can quote the row, which holds people's words. */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const cause = databaseError(error);
  if (!cause) return { type: error.name, message: error.message, stack: error.stack };
  const { code, constraint, table, routine } = cause;
  return { type: 'DatabaseError', code, constraint, table, routine, stack: framesOf(error) };
}

type DatabaseFields = Partial<Record<'code' | 'constraint' | 'table' | 'routine', string | undefined>>;

function databaseError(error: Error): DatabaseFields | undefined {
  if (error instanceof pg.DatabaseError) return error;
  if (error.cause instanceof Error) return databaseError(error.cause);
  return error.message.startsWith('Failed query') ? {} : undefined;
}

/** The stack without its first lines, which repeat the message. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

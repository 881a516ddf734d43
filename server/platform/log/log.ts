import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { openLogOutput } from './output.ts';

/** Logs JSON lines to standard output; never bodies, people's addresses or query strings (docs/rules.md#quiet-log). */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, to: DestinationStream = openLogOutput()): Logger {
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorForLog } }, to);
}

/** Returns a function that logs at most one error per `QUIET` ms, because an unreachable service fails every request. */
export function warnSeldom(log: Pick<FastifyBaseLogger, 'warn'>, message: string): (error: unknown) => void {
  let quietUntil = 0;
  return (err) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + QUIET;
    log.warn({ err }, message);
  };
}

const QUIET = 60_000;

/** Returns the loggable parts of an error. A database error's message and detail are left out: they can quote people's words. */
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

/** Returns the stack without its first lines, which repeat the message. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

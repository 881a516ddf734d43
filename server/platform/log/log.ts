import { DrizzleQueryError } from 'drizzle-orm';
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

/** Returns what an operator may read about an error: its message, or a database error's code and constraint. */
export function problemText(error: unknown): string {
  const { message, type, code, constraint } = errorForLog(error);
  return [message ?? type, code, constraint].filter((part) => part !== undefined).join(' ');
}

type DatabaseFields = Partial<Record<'code' | 'constraint' | 'table' | 'routine', string | undefined>>;

/** Returns the fields of a database error, or of what ended its connection. */
function databaseError(error: Error): DatabaseFields | undefined {
  if (error instanceof pg.DatabaseError) return error;
  const cause = error.cause instanceof Error ? databaseError(error.cause) : undefined;
  if (cause || !(error instanceof DrizzleQueryError)) return cause;
  return { code: (error.cause as { code?: string } | undefined)?.code ?? error.cause?.message };
}

/** Returns the stack without its first lines, which repeat the message. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

import { write } from 'node:fs';
import type { DestinationStream } from 'pino';

interface LogOutput extends DestinationStream {
  /** Calls back once every line so far was written or dropped. */
  flush(done: () => void): void;
}

const STANDARD_OUTPUT = 1;
/** Characters waiting to be written; lines beyond this are dropped. */
const MOST_WAITING = 1024 * 1024;

let failures = 0;
/** Returns how often this process failed to write to its log or dropped a line. */
export const logFailures = (): number => failures;

/**
 * Writes to standard output asynchronously, so that a stalled reader, a full disk or a closed terminal costs log lines but doesn't
 * block or end the process. (pino's own output retries the same line forever, synchronously on exit.)
 */
export function openLogOutput(): LogOutput {
  let waiting = '';
  let isWriting = false;
  let flushing: (() => void)[] = [];
  return {
    write(line) {
      if (waiting.length + line.length > MOST_WAITING) failures += 1;
      else waiting += line;
      if (!isWriting) writeNext();
    },
    flush(done) {
      if (isWriting) flushing.push(done);
      else done();
    },
  };

  function writeNext(): void {
    const bytes = Buffer.from(waiting);
    [waiting, isWriting] = ['', true];
    writeAll(bytes, () => {
      isWriting = false;
      if (waiting !== '') return writeNext();
      const callbacks = flushing;
      flushing = [];
      for (const done of callbacks) done();
    });
  }
}

/** Drops bytes that can't be written; later lines are tried again. */
function writeAll(bytes: Buffer, done: () => void): void {
  write(STANDARD_OUTPUT, bytes, (error, written) => {
    if (error?.code === 'EAGAIN') setTimeout(() => writeAll(bytes, done), BUSY).unref();
    else if (error) {
      failures += 1;
      done();
    } else if (written < bytes.length) writeAll(bytes.subarray(written), done);
    else done();
  });
}

/** Pause before writing to a slow reader again (ms). */
const BUSY = 50;

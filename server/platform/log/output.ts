import { write } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Where logs are written. */
export interface LogOutput extends DestinationStream {
  /** Calls back when everything until now was written, or could not be. */
  flush(done: () => void): void;
}

const STANDARD_OUTPUT = 1;
/** Of lines that wait (characters); what comes beyond is dropped. */
const MOST_WAITING = 1024 * 1024;

let failures = 0;
/** How often this process could not write to its log, or dropped a line of it. */
export const logFailures = (): number => failures;

/**
 * Standard output, written beside the work: a reader that stops reading, a full disk or a terminal that is gone costs lines of
 * the log, and neither holds the product up nor ends it. (pino's own tries the same line for ever, synchronously as it exits.)
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
      const done = flushing;
      flushing = [];
      for (const each of done) each();
    });
  }
}

/** What cannot be written is lost; the next lines are tried again. */
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

/** Until a reader that is slow is looked at again (ms). */
const BUSY = 50;

import type { FastifyReply } from 'fastify';
import type { RecordedEvent } from '#contract/events.ts';
import { keepOpen } from '../platform/http/sockets.ts';

/** Data buffered for a client that doesn't read (bytes); beyond this its stream is closed, and the page reloads its data. */
const MOST_UNREAD = 64 * 1024;

/** An answer of server-sent events. */
export interface EventStream {
  /** Sends everything of one turn at once, because writing to each client is the main cost of many events. */
  send(text: string): void;
  sendEvent(event: RecordedEvent): void;
  end(): void;
  onClose(listener: () => void): void;
}

export function openEventStream(reply: FastifyReply): EventStream {
  const raw = beginEvents(reply);
  let pending = '';
  return {
    send,
    sendEvent: (event) => send(textOf(event)),
    end() {
      flush();
      raw.end();
    },
    onClose: (listener) => raw.once('close', listener),
  };

  function send(text: string): void {
    if (pending === '') setImmediate(flush);
    pending += text;
  }

  function flush(): void {
    const text = pending;
    pending = '';
    if (text === '' || raw.writableEnded) return;
    if (raw.writableLength > MOST_UNREAD) raw.destroy();
    else raw.write(text);
  }
}

function beginEvents(reply: FastifyReply): FastifyReply['raw'] {
  reply.hijack();
  const { raw } = reply;
  keepOpen(raw);
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  raw.write('retry: 2000\n\n');
  return raw;
}

/** Events as text, serialized once for all readers. */
const texts = new WeakMap<RecordedEvent, string>();

function textOf(event: RecordedEvent): string {
  const text = texts.get(event) ?? serverSent(event.name, event);
  texts.set(event, text);
  return text;
}

export const serverSent = (name: string, data: RecordedEvent | object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

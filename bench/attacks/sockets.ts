import { readdir, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import type { Attack, AttackScene } from './attack.ts';
import { rate } from './visitors.ts';

const ASSETS = path.resolve(import.meta.dirname, '../../dist/public/assets');
const STREAMS = 200;
const CUT_STREAMS = 1_500;
const STREAMS_OF_PERSON = 12;
const VISITORS = 12;
const PIPELINERS = 90;
const PIPELINED = 200;
const SLOW_READERS = 300;
const SILENT = 2_000;
const FILE_SOCKETS = 600;
const FILES_EACH = 12;
const SLOW_HEADS = 1_000;
/** The interval between two bytes of a slow head (ms). */
const BYTE_EVERY = 200;

/** Live streams that are never read while many events are sent, then streams that are closed immediately. */
export const streams: Attack = {
  title: `${STREAMS} live streams that no one reads, ${CUT_STREAMS.toLocaleString('en-US')} that are closed immediately`,
  watched: ['visitor', 'feed', 'stream'],
  async run(scene, until) {
    const unread = Array.from({ length: STREAMS }, (_, place) => listen(scene, place));
    const half = performance.now() + (until - performance.now()) / 2;
    const crowd = await rate(scene, { visitors: VISITORS, until: half });
    for (let place = 0; place < CUT_STREAMS; place += 1) {
      const socket = listen(scene, place);
      socket.once('connect', () => setImmediate(() => socket.destroy()));
      if (place % 50 === 0) await sleep(10);
    }
    await sleep(Math.max(0, until - performance.now()));
    const open = await countOpen(unread);
    closeAll(unread);
    return {
      notes: [`${open} of ${STREAMS} unread streams were open at the end, after ${crowd.stored.length} ratings`],
      stored: crowd.stored,
    };
  },
};

/** Opens a live stream of someone in the sample business without reading it. */
function listen({ product, tokens }: AttackScene, place: number): Socket {
  const token = tokens[Math.floor(place / STREAMS_OF_PERSON) % tokens.length];
  return openUnread(product.address, `GET /api/live HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`);
}

/** Requests whose responses no one reads: many on each socket, and one for a large asset. */
export const unread: Attack = {
  title: `${PIPELINERS} sockets with ${PIPELINED} requests each, ${SLOW_READERS} slow readers of an asset`,
  watched: ['visitor', 'feed'],
  async run({ product, tokens }, until) {
    const asset = await largestAsset();
    const sockets = [
      ...Array.from({ length: PIPELINERS }, (_, place) => openUnread(product.address, pipelined(tokens[place % tokens.length]))),
      ...Array.from({ length: SLOW_READERS }, () => openUnread(product.address, `GET /assets/${asset} HTTP/1.1\r\nhost: a\r\n\r\n`)),
    ];
    const timer = setInterval(() => {
      for (const socket of sockets) socket.read(1_024);
    }, 500);
    await sleep(Math.max(0, until - performance.now()));
    clearInterval(timer);
    const open = await countOpen(sockets);
    closeAll(sockets);
    return { notes: [`${open} of ${sockets.length} sockets were open at the end`] };
  },
};

/** Requests for files that are never read. Each response that the product starts costs it a file handle or memory. */
export const files: Attack = {
  title: `${FILE_SOCKETS} sockets that request the largest script ${FILES_EACH} times and read nothing`,
  watched: ['visitor', 'feed'],
  async run({ product }, until) {
    const requests = `GET /assets/${await largestAsset()} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(FILES_EACH);
    const sockets = Array.from({ length: FILE_SOCKETS }, () => openUnread(product.address, requests));
    await sleep(Math.max(0, until - performance.now()));
    const open = await countOpen(sockets);
    closeAll(sockets);
    return { notes: [`${open} of ${FILE_SOCKETS} sockets were open at the end`] };
  },
};

/** Requests whose heads arrive a byte at a time and never end. */
export const heads: Attack = {
  title: `${SLOW_HEADS.toLocaleString('en-US')} sockets that send a head one byte at a time`,
  watched: ['visitor', 'feed'],
  async run({ product }, until) {
    const sockets = Array.from({ length: SLOW_HEADS }, () => openUnread(product.address, 'GET / HTTP/1.1\r\nx: '));
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }, BYTE_EVERY);
    await sleep(Math.max(0, until - performance.now()));
    clearInterval(timer);
    const open = await countOpen(sockets);
    closeAll(sockets);
    return { notes: [`${open.toLocaleString('en-US')} of ${SLOW_HEADS.toLocaleString('en-US')} sockets were open at the end`] };
  },
};

function pipelined(token: string | undefined): string {
  const body = JSON.stringify({ service: 'feedback', action: 'list', accountId: ACCOUNT_ID, limit: 100 });
  const head = `content-type: application/json\r\nauthorization: Bearer ${token}\r\ncontent-length: ${body.length}`;
  return `POST /api/data HTTP/1.1\r\nhost: a\r\n${head}\r\n\r\n${body}`.repeat(PIPELINED);
}

async function largestAsset(): Promise<string> {
  const names = await readdir(ASSETS);
  const sized = await Promise.all(names.map(async (name) => ({ name, size: (await stat(path.join(ASSETS, name))).size })));
  return sized.sort((a, b) => b.size - a.size)[0]?.name ?? '';
}

/** More sockets than the product allows. On this machine and behind a proxy there is no limit per host, so only the total limit applies. */
export const idle: Attack = {
  title: `${SILENT.toLocaleString('en-US')} sockets that send nothing or half a request (one host: loopback has no limit per host)`,
  watched: ['visitor', 'feed', 'health'],
  async run({ product }, until) {
    const half = 'POST /api/data HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"service"';
    const sockets: Socket[] = [];
    for (let place = 0; place < SILENT; place += 1) {
      sockets.push(openUnread(product.address, place % 2 === 0 ? '' : half));
      if (place % 100 === 0) await sleep(10);
    }
    await sleep(Math.max(0, until - performance.now()));
    const open = await countOpen(sockets);
    closeAll(sockets);
    return { notes: [`${open.toLocaleString('en-US')} of ${SILENT.toLocaleString('en-US')} sockets were open at the end`] };
  },
};

/** Opens a socket that sends something and never reads. */
function openUnread(address: string, message: string): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.pause();
  if (message !== '') socket.write(message);
  return socket;
}

/** Counts sockets that the product hasn't closed. A socket only notices that once it reads. */
async function countOpen(sockets: readonly Socket[]): Promise<number> {
  for (const socket of sockets) socket.resume();
  await sleep(300);
  return sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;
}

function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

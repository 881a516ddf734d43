import jsQR from 'jsqr';
import { describe, expect, it } from 'vitest';
import { modulesOf } from '../qr/codes.ts';
import type { WordPainter } from './drawing.ts';
import { PAPERS, PRINTS, printed } from './sheets.ts';
import { fitted, inHelvetica, widthInHelvetica } from './words.ts';

const ADDRESS = 'https://feedback.example.com/feedback/FORM_a1B2c3?at=a1B2c3D4e5';
const SHEET = { place: 'Café “Möwe”', placement: 'Table 4', question: 'How was your visit?', address: ADDRESS };

/** Paints black boxes, and notes what it was asked for. */
function openBoxPainter(): WordPainter & { readonly painted: string[] } {
  const painted: string[] = [];
  return {
    painted,
    measure: (text) => text.length,
    paint({ text }) {
      painted.push(text);
      return { width: 2, height: 1, pixels: new Uint8Array(6) };
    },
  };
}

/** A file, with what is drawn on its pages. */
async function read(file: Blob): Promise<{ text: string; contents: string[] }> {
  const text = new TextDecoder('latin1').decode(await file.arrayBuffer());
  const pages = [...text.matchAll(/<<\/Filter\/FlateDecode\/Length (\d+)>>stream\n/g)].map(({ index, 0: head, 1: length }) => {
    const packed = file.slice(index + head.length, index + head.length + Number(length));
    return new Response(packed.stream().pipeThrough(new DecompressionStream('deflate'))).text();
  });
  return { text, contents: await Promise.all(pages) };
}

/** The words that a page says in Helvetica. */
const wordsIn = (content: string): string =>
  [...content.matchAll(/<([\da-f]+)> Tj/g)]
    .map(([, word = '']) =>
      new TextDecoder('windows-1252').decode(Uint8Array.from(word.match(/../g) ?? [], (code) => Number.parseInt(code, 16))),
    )
    .join(' ');

interface PrintedCode {
  /** Without its light border (mm). */
  readonly side: number;
  readonly says: string | undefined;
}

/** The codes of a page, as a camera reads them. */
function codesIn(content: string): PrintedCode[] {
  return [...content.matchAll(/q ([\d.]+) 0 0 [\d.]+ [\d.]+ [\d.]+ cm 0 0 0 rg\n([\d .re\n]+)\nf Q/g)].map(([, unit, dark = '']) => {
    const runs = dark.split('\n').map((run) => run.split(' ').map(Number));
    const end = Math.max(...runs.map(([x = 0, , length = 0]) => x + length));
    const [modules, dots] = [end + 4, 4];
    const pixels = new Uint8ClampedArray((modules * dots) ** 2 * 4).fill(255);
    for (const [x = 0, y = 0, length = 0] of runs)
      for (let row = y * dots; row < (y + 1) * dots; row += 1)
        for (let at = x * dots; at < (x + length) * dots; at += 1)
          pixels.fill(0, (row * modules * dots + at) * 4, (row * modules * dots + at) * 4 + 3);
    return { side: Number(unit) * (end - 4), says: jsQR(pixels, modules * dots, modules * dots)?.data };
  });
}

describe('what is printed', () => {
  it.each(PRINTS.flatMap((kind) => PAPERS.map((paper) => [kind, paper] as const)))(
    'is a %s on %s whose codes lead to the form',
    async (kind, paper) => {
      const painter = openBoxPainter();
      const { text, contents } = await read(await printed({ kind, paper, sheets: [SHEET], painter }));
      expect(text).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
      const [width, height] = { A4: [595.2756, 841.8898], A6: [297.6378, 419.5276], Letter: [612, 792] }[paper] ?? [];
      expect(text).toContain(`/MediaBox[0 0 ${width} ${height}]`);
      const codes = codesIn(contents[0] ?? '');
      expect(codes).toHaveLength({ poster: 1, tent: 2, sticker: paper === 'A6' ? 4 : 16 }[kind]);
      expect(codes.every(({ says }) => says === ADDRESS)).toBe(true);
      expect(Math.min(...codes.map(({ side }) => side))).toBeGreaterThanOrEqual(25);
      const words = wordsIn(contents[0] ?? '');
      for (const said of ['Café “Möwe”', 'How was your visit?', 'Table 4']) expect(words).toContain(said);
      expect(words.replaceAll(' ', '')).toContain('feedback.example.com/feedback/FORM_a1B2c3?at=a1B2c3D4e5');
      expect(painter.painted).toEqual([]);
    },
  );

  it('has a page for each placement, and paints once what repeats', async () => {
    const painter = openBoxPainter();
    const sheets = ['Bar', 'Ταράτσα', 'テラス'].map((placement) => ({ ...SHEET, place: '東京 🍜', placement }));
    const { text, contents } = await read(await printed({ kind: 'poster', paper: 'A4', sheets, painter }));
    expect(contents).toHaveLength(3);
    expect(painter.painted).toEqual(['東京 🍜', 'Ταράτσα', 'テラス']);
    expect(text.match(/\/Subtype\/Image/g)).toHaveLength(3);
    expect(contents.map((content) => content.match(/\/P\d Do/g))).toEqual([['/P0 Do'], ['/P0 Do', '/P1 Do'], ['/P0 Do', '/P2 Do']]);
  });

  it('says where each of its objects begins', async () => {
    const { text: file } = await read(await printed({ kind: 'tent', paper: 'A6', sheets: [SHEET], painter: openBoxPainter() }));
    const start = Number(/startxref\n(\d+)/.exec(file)?.[1]);
    expect(file.slice(start, start + 4)).toBe('xref');
    const begins = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at));
    expect(begins.length).toBeGreaterThan(5);
    for (const [at, begin] of begins.entries()) expect(file.slice(begin, begin + 12)).toMatch(new RegExp(`^${at + 1} 0 obj\n`));
  });
});

describe('a code', () => {
  it('has four light modules around it, and stays coarse for addresses that people have', () => {
    const { size, runs } = modulesOf(ADDRESS);
    expect(size).toBe(37 + 8);
    expect(Math.min(...runs.map(({ x }) => x))).toBe(4);
    expect(Math.min(...runs.map(({ y }) => y))).toBe(4);
    expect(Math.max(...runs.map(({ x, length }) => x + length))).toBe(size - 4);
    expect(Math.max(...runs.map(({ y }) => y))).toBe(size - 5);
  });
});

describe('words', () => {
  const measure = (text: string) => [...text].length * 0.5;

  it('break at spaces and grow no wider than their room', () => {
    const { lines, size } = fitted('The harbour master’s breakfast room', { width: 60, size: 10, lines: 2 }, measure);
    expect(lines).toHaveLength(2);
    expect(lines.every(({ width }) => width * size <= 60)).toBe(true);
    expect(lines.map(({ text }) => text).join(' ')).toBe('The harbour master’s breakfast room');
  });

  it('break within a word that is longer than its room, and lose no letter', () => {
    const { lines, size } = fitted('東'.repeat(60), { width: 40, size: 10, lines: 2 }, measure);
    expect(lines.map(({ text }) => text).join('')).toBe('東'.repeat(60));
    expect(lines.every(({ width }) => width * size <= 40)).toBe(true);
  });

  it('are set in Helvetica where it has their letters, accents and all', () => {
    expect(widthInHelvetica('Table 4', true)).toBeCloseTo(0.611 + 0.556 + 0.611 + 0.278 + 0.556 + 0.278 + 0.556);
    expect(widthInHelvetica('Café', false)).toBe(widthInHelvetica('Cafe', false));
    expect(inHelvetica('é–’')).toBe('<e99692>');
    for (const foreign of ['東京', 'Ελλάδα', 'العربية', '🍋', 'Łódź', 'a\nb']) expect(widthInHelvetica(foreign, true)).toBeUndefined();
  });
});

import { refusal } from '#contract/core/errors.ts';

/** Characters as codes, because this runs for every character of every request. */
const CODES = { space: 0x20, quote: 0x22, comma: 0x2c, bracket: 0x5b, bracketClosed: 0x5d, brace: 0x7b, braceClosed: 0x7d };
/** Levels and parts of a body, counted before it is parsed, because a small body can expand into much work. @limit json */
const MOST_DEPTH = 20;
const MOST_PARTS = 1_000;

/** Parses a request body (docs/limits.md#json). Refuses `too-complex` if it's too deep or has too many parts, `bad-json` if it's invalid. */
export function parseJson(text: string): unknown {
  // Checked first, because parsing a quarter of a megabyte of brackets takes longer than the rest of a request.
  if (!isWithin(text)) throw refusal('too-complex');
  try {
    return JSON.parse(text);
  } catch {
    throw refusal('bad-json');
  }
}

/** Returns whether the text is within the limits. Parts are the elements of arrays and objects; invalid JSON is left to the parser. */
function isWithin(text: string): boolean {
  let [depth, parts, isOpened] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= CODES.space) continue;
    const isClosing = code === CODES.bracketClosed || code === CODES.braceClosed;
    if (code === CODES.comma || (isOpened && !isClosing)) parts += 1;
    if (parts > MOST_PARTS || (isOpened && !isClosing && depth > MOST_DEPTH)) return false;
    isOpened = code === CODES.bracket || code === CODES.brace;
    if (isOpened) depth += 1;
    else if (isClosing) depth -= 1;
    else if (code === CODES.quote) at = endOfString(text, at);
  }
  return true;
}

/** Returns where the string that starts here ends, or the end of the text if it doesn't. */
function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (end > 0 && isEscaped(text, end));
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

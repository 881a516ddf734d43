import { Fragment, type ReactNode } from 'react';
import { piecesOf } from '#contract/language/translate.ts';

interface RichTextProps {
  /** A translated text, such as `Questions? Ask <support>{support}</support>`. */
  readonly text: string;
  /** Renders the marked parts by name. */
  readonly parts: Readonly<Record<string, (text: string) => ReactNode>>;
}

/** A sentence with links or emphasis in it, whose order depends on the language. */
export const Rich = ({ text, parts }: RichTextProps) =>
  piecesOf(text, Object.keys(parts)).map(({ text: piece, mark }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move.
    <Fragment key={place}>{mark === undefined ? piece : (parts[mark]?.(piece) ?? piece)}</Fragment>
  ));

import { Fragment, type ReactNode } from 'react';
import { piecesOf } from '#contract/language/translate.ts';

interface RichProps {
  /** A translated text, such as `Read the <guide>guide</guide>.` */
  readonly text: string;
  /** Renders the marked parts by name. */
  readonly parts: Readonly<Record<string, (text: string) => ReactNode>>;
}

/** A sentence with links or emphasis in it, whose order depends on the language. */
export const Rich = ({ text, parts }: RichProps) =>
  piecesOf(text, Object.keys(parts)).map(({ text: piece, mark }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move.
    <Fragment key={place}>{mark === undefined ? piece : (parts[mark]?.(piece) ?? piece)}</Fragment>
  ));

/** A label that says more to screen readers: `Resend<spoken> the invitation to {name}</spoken>`. */
export const SpokenLabel = ({ text }: Pick<RichProps, 'text'>) => (
  <Rich text={text} parts={{ spoken: (more) => <span className="visually-hidden">{more}</span> }} />
);

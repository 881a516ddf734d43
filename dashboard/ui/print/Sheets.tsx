import type { CSSProperties } from 'react';
import { RATINGS } from '#contract/feedback/rating.ts';
import { WORDS } from '#contract/language/all.ts';
import { t } from '../../language.ts';
import { Face } from '../Face.tsx';
import { DrawnCode } from '../qr/DrawnCode.tsx';
import { type PrintOrder, pagesOf, type SheetWords } from './order.ts';
import styles from './Sheets.module.css';

/** Pages to print. Lengths are multiples of `--mm`: a millimeter on paper, less in a preview. */
export const Sheets = ({ order, most = Infinity }: { order: PrintOrder; most?: number }) => {
  const { kind, paper, logo, language } = order;
  const { scan } = WORDS[language].kiosk;
  // Paper is white in any theme.
  return pagesOf(order)
    .slice(0, most)
    .map((page) => (
      <div
        key={page[0]?.address}
        lang={language}
        className={styles['sheet']}
        data-paper={paper}
        data-kind={kind}
        data-mantine-color-scheme="light"
      >
        {kind === 'sticker' ? (
          <Stickers page={page} />
        ) : (
          page.map((words) => <Page key={words.address} kind={kind} sheet={{ ...words, logo, scan }} />)
        )}
      </div>
    ));
};

/** What a poster or a table tent shows, and how to use its code. */
type BrandedSheet = SheetWords & Pick<PrintOrder, 'logo'> & { readonly scan: string };

const Page = ({ kind, sheet }: { kind: 'poster' | 'tent'; sheet: BrandedSheet }) =>
  kind === 'poster' ? <Poster {...sheet} /> : <Tent {...sheet} />;

const Poster = ({ place, placement, question, address, logo, scan }: BrandedSheet) => (
  <div className={styles['poster']}>
    <Logo logo={logo} />
    <Line text={place} size={11} fits={26} isBold />
    <Line text={question} size={16.5} fits={20} isBold />
    <Faces />
    <Code address={address} />
    <Line text={scan} size={7.5} fits={44} />
    {placement !== undefined && <Line text={placement} size={7} fits={40} isBold />}
    <Line text={shortOf(address)} size={4.8} fits={64} />
  </div>
);

/** Two sides, one upside down, so that the folded sheet reads from both. */
const Tent = (sheet: BrandedSheet) => (
  <>
    <TentSide {...sheet} />
    <TentSide {...sheet} />
  </>
);

const TentSide = ({ place, placement, question, address, logo, scan }: BrandedSheet) => (
  <div className={styles['side']}>
    <div className={styles['column']}>
      <Code address={address} />
      <Line text={shortOf(address)} size={3.4} fits={46} />
    </div>
    <div className={styles['column']}>
      <Logo logo={logo} />
      <Line text={place} size={8} fits={18} isBold />
      <Line text={question} size={13} fits={13} isBold />
      <Faces />
      <Line text={scan} size={5} fits={32} />
      {placement !== undefined && <Line text={placement} size={6} fits={20} isBold />}
    </div>
  </div>
);

const Stickers = ({ page }: { page: readonly SheetWords[] }) => (
  <div className={styles['stickers']}>
    {page.map((words, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: copies of one sticker differ only in their place
      <Sticker key={place} {...words} />
    ))}
  </div>
);

const Sticker = ({ place, placement, question, address }: SheetWords) => (
  <div className={styles['sticker']}>
    <Line text={question} size={4.6} fits={18} isBold />
    <Code address={address} />
    <Line text={placement === undefined ? place : `${place} · ${placement}`} size={3.2} fits={26} isBold />
    <Line text={shortOf(address)} size={2} fits={44} />
  </div>
);

const Logo = ({ logo }: Pick<PrintOrder, 'logo'>) => logo && <img src={logo.picture} alt={logo.alt} className={styles['logo']} />;

const Code = ({ address }: { address: string }) => (
  <div className={styles['code']}>
    <DrawnCode text={address} label={t('QR code of {address}', { address: shortOf(address) })} />
  </div>
);

const Faces = () => (
  <div className={styles['faces']} aria-hidden="true">
    {RATINGS.map((rating) => (
      <Face key={rating} rating={rating} />
    ))}
  </div>
);

interface PrintedLineProps {
  readonly text: string;
  /** The em on A4 (mm). Longer texts get smaller, down to half, and wrap. */
  readonly size: number;
  /** The number of letters that fit in a line at that size. */
  readonly fits: number;
  readonly isBold?: boolean;
}

function Line({ text, size, fits, isBold = false }: PrintedLineProps) {
  const em = size * Math.max(0.5, Math.min(1, (2 * fits) / text.length));
  // React's style type lacks custom properties.
  const style = { '--em': em } as CSSProperties;
  return (
    <p className={styles['line']} data-bold={isBold || undefined} style={style} dir="auto">
      {text}
    </p>
  );
}

/** Returns the address as people type it. */
const shortOf = (address: string): string => address.replace(/^https?:\/\//, '');

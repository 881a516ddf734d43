import { Link } from '@tanstack/react-router';
import { createElement, Fragment, type ReactNode } from 'react';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { type GuideNode, type GuidePicture, PICTURE_SIZES } from './guide.ts';
import { addressOf } from './guides.ts';

/** Renders the nodes of a guide. */
export const GuideBody = ({ nodes }: { nodes: readonly GuideNode[] }): ReactNode =>
  nodes.map((node, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a guide never changes
    typeof node === 'string' ? <Fragment key={place}>{node}</Fragment> : <GuidePart key={place} node={node} />,
  );

function GuidePart({ node: { tag, id, to, picture, children } }: { node: Exclude<GuideNode, string> }) {
  const inside = <GuideBody nodes={children} />;
  if (picture) return <GuideScreen {...picture} />;
  if (tag === 'a') return <GuideTarget to={to ?? ''}>{inside}</GuideTarget>;
  // Wide blocks scroll, also by keyboard.
  if (tag === 'table' || tag === 'pre')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      <section data-wide tabIndex={0} aria-label={tag === 'table' ? t('Table') : t('Code')}>
        {createElement(tag, {}, inside)}
      </section>
    );
  return createElement(tag, id === undefined ? {} : { id }, inside);
}

/** A screenshot in the current theme; the other one is never fetched. It links to its file, because phones show it small. */
const GuideScreen = (picture: GuidePicture) =>
  (['light', 'dark'] as const).map((theme) => (
    <a key={theme} data-picture={picture.size} data-theme={theme} href={addressOf(picture, theme)}>
      <img src={addressOf(picture, theme)} alt={picture.shows} {...PICTURE_SIZES[picture.size]} loading="lazy" decoding="async" />
    </a>
  ));

function GuideTarget({ to, children }: { to: string; children: ReactNode }) {
  if (to.startsWith('https://')) return <a href={to}>{children}</a>;
  const [name = '', hash] = to.split('#');
  return (
    <Link to={paths.guide(name)} {...(hash !== undefined && { hash })}>
      {children}
    </Link>
  );
}

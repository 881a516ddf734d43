import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ThemeButton } from '../../frame/chrome/ThemeButton.tsx';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useTitle } from '../../ui/hooks.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { SkipLink } from '../../ui/page/SkipLink.tsx';
import { Wordmark } from '../../ui/page/Wordmark.tsx';
import { SpokenLabel } from '../../ui/Rich.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { ApiReference } from './ApiReference.tsx';
import styles from './Docs.module.css';
import { GuideBody } from './GuideBody.tsx';
import { CONTENTS, type Guide, neighbors } from './guide.ts';
import { guideNamed } from './guides.ts';
import { SearchResults } from './SearchResults.tsx';

/** The documentation: its table of contents, or a guide. Public. */
export function Docs() {
  const { page } = useParams({ strict: false });
  const guide = page === undefined ? undefined : guideNamed(page);
  /** Another page, or a result that was chosen, empties the field. */
  const [chosen, setChosen] = useState(0);
  const field = `${page}/${chosen}`;
  const [searched, setSearched] = useState({ in: field, text: '' });
  const search = searched.in === field ? searched.text : '';
  const main = useRef<HTMLElement>(null);
  useTitle(guide?.title ?? t('Docs'));
  useArrival(main, page);
  return (
    <div className={styles['docs']}>
      <SkipLink to="guide">{t('Skip to content')}</SkipLink>
      <header className={styles['top']}>
        <Link to={paths.docs} className={styles['home']}>
          <Wordmark />
          <span>{t('Docs')}</span>
        </Link>
        <ThemeButton />
        <Button component={Link} to={paths.feed} variant="default">
          <SpokenLabel text={t('Open<spoken> Afterword</spoken>')} />
        </Button>
      </header>
      <nav className={styles['side']} aria-label={t('Contents')}>
        <ContentsList current={page} />
      </nav>
      <main id="guide" ref={main} tabIndex={-1} className={styles['main']}>
        <div className={styles['search']}>
          <SearchField key={field} label={t('Search the docs')} onSearch={(text) => setSearched({ in: field, text })} settles={150} />
        </div>
        {search !== '' && <SearchResults text={search} onLeave={() => setChosen(chosen + 1)} />}
        <div hidden={search !== ''}>{page === undefined ? <Contents /> : guide ? <GuidePage guide={guide} /> : <NoSuchPage />}</div>
      </main>
    </div>
  );
}

/** Scrolls to the address's heading; on a new page without one, moves the focus to the top heading. */
function useArrival(main: React.RefObject<HTMLElement | null>, page: string | undefined): void {
  const previous = useRef(page);
  useEffect(() => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (place) place.scrollIntoView();
    else if (previous.current !== page) {
      scrollTo(0, 0);
      main.current?.querySelector('h1')?.focus({ preventScroll: true });
    }
    previous.current = page;
  }, [main, page]);
}

const ContentsList = ({ current }: { current: string | undefined }) =>
  CONTENTS.map(({ title, names }) => (
    <section key={t(title)} aria-label={t(title)}>
      <p>{t(title)}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <GuideLink to={name} isCurrent={name === current}>
              {guideNamed(name)?.title}
            </GuideLink>
          </li>
        ))}
      </ul>
    </section>
  ));

const GuideLink = ({ to, isCurrent = false, children }: { to: string; isCurrent?: boolean; children: ReactNode }) => (
  <Link to={paths.guide(to)} activeProps={{}} aria-current={isCurrent ? 'page' : undefined}>
    {children}
  </Link>
);

/** The table of contents, with each guide's first paragraph. */
const Contents = () => (
  <article className={styles['guide']}>
    <h1 tabIndex={-1}>{t('Docs')}</h1>
    <p>{t('How to collect feedback with Afterword, work on it as a team, run it, and build on it.')}</p>
    {CONTENTS.map(({ title, names }) => (
      <section key={t(title)}>
        <h2>{t(title)}</h2>
        <ul className={styles['contents']}>
          {names.map((name) => (
            <li key={name}>
              <GuideLink to={name}>{guideNamed(name)?.title}</GuideLink>
              <p>{guideNamed(name)?.lead}</p>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </article>
);

function GuidePage({ guide: { name, title, body } }: { guide: Guide }) {
  const { before, after } = neighbors(name);
  return (
    <>
      <article className={styles['guide']}>
        <h1 tabIndex={-1}>{title}</h1>
        <GuideBody nodes={body} />
        {name === 'api' && <ApiReference />}
      </article>
      <nav className={styles['turn']} aria-label={t('Previous and next')}>
        {before && (
          <Link to={paths.guide(before)} rel="prev">
            <span>{t('Previous')}</span>
            {guideNamed(before)?.title}
          </Link>
        )}
        {after && (
          <Link to={paths.guide(after)} rel="next" className={styles['next']}>
            <span>{t('Next')}</span>
            {guideNamed(after)?.title}
          </Link>
        )}
      </nav>
    </>
  );
}

const NoSuchPage = () => (
  <EmptyState
    role="alert"
    title={<h1 tabIndex={-1}>{t('This page doesn’t exist.')}</h1>}
    action={
      <Button component={Link} to={paths.docs}>
        {t('All pages')}
      </Button>
    }
  />
);

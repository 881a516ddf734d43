import { IconDots, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { PeriodChoice } from '../../../frame/numbers/PeriodChoice.tsx';
import { SearchField } from '../../../ui/forms/SearchField.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { loadedLater } from '../../../ui/page/Later.tsx';
import { ActionIcon, Kbd } from '../../../ui/theme/mantine.ts';
import { ExportDialog } from '../export/ExportDialog.tsx';
import { FilterMenu } from '../filters/FilterMenu.tsx';
import { loadedTotal } from '../list/total.ts';
import type { Feed } from '../useFeed.ts';
import { ViewsMenu } from '../views/ViewsMenu.tsx';
import { MarkAllReadDialog } from '../work/MarkAllRead.tsx';
import { MORE_BUTTON } from '../work/useBulk.ts';
import styles from './Toolbar.module.css';

const MoreItems = loadedLater(() => import('./MoreItems.tsx'), 'MoreItems');

interface ToolbarProps {
  readonly feed: Feed;
  /** An empty list needs no search. */
  readonly isBare: boolean;
}

/** The feed's controls in one row: search, period, filters, views and, in a menu, what is used rarely. On a phone they are icons. */
export function Toolbar({ feed, isBare }: ToolbarProps) {
  const { scope, search, change, period, now, view, isWide, list } = feed;
  const [isSearching, setSearching] = useState(false);
  const total = feed.total ?? loadedTotal(list, feed.unseen);
  const items = !isBare && <MoreItems total={total} bulk={feed.bulk} />;
  const isSearchShown = !isBare && (isWide || isSearching || search.q !== undefined);
  return (
    <div className={styles['toolbar']}>
      {isSearchShown && <Search feed={feed} isOpened={isSearching} />}
      {!isWide && !isBare && (
        <ActionIcon
          variant="subtle"
          className={styles['icon'] ?? ''}
          aria-label="Search"
          aria-expanded={isSearchShown}
          onClick={() => setSearching(!isSearching)}
        >
          <IconSearch size={20} aria-hidden />
        </ActionIcon>
      )}
      <PeriodChoice period={period} now={now} onChange={feed.choosePeriod} />
      <FilterMenu scope={scope} search={search} onChange={change} isWide={isWide} />
      {isWide ? (
        <>
          <ViewsMenu view={view} />
          {items && <MenuButton button={MORE}>{items}</MenuButton>}
        </>
      ) : (
        <ViewsMenu view={view} button={MORE}>
          {items}
        </ViewsMenu>
      )}
      <ExportDialog query={feed.query} total={total} />
      <MarkAllReadDialog />
    </div>
  );
}

const Search = ({ feed: { search, change, searchBox, selection, isWide }, isOpened }: { feed: Feed; isOpened: boolean }) => (
  <div className={styles['search']}>
    <SearchField
      ref={searchBox}
      label="Search feedback"
      value={search.q ?? ''}
      onSearch={(text) => change({ q: text || undefined })}
      settles={300}
      shortcut="/"
      hint={isWide && <Kbd size="xs">/</Kbd>}
      onLeave={selection.focusList}
      autoFocus={isOpened}
    />
  </div>
);

const MORE = (
  <ActionIcon id={MORE_BUTTON} variant="subtle" className={styles['icon'] ?? ''} aria-label="More for this list">
    <IconDots size={20} aria-hidden />
  </ActionIcon>
);

import { IconDots, IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useShortcuts } from '../../../frame/chrome/shortcuts.ts';
import { PeriodChoice } from '../../../frame/numbers/PeriodChoice.tsx';
import { t } from '../../../language.ts';
import { SearchField } from '../../../ui/forms/SearchField.tsx';
import { useIsWide } from '../../../ui/hooks.ts';
import { Opening } from '../../../ui/layers/Opening.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { loadedLater } from '../../../ui/page/Later.tsx';
import { ActionIcon, Kbd } from '../../../ui/theme/mantine.ts';
import { useFeedContent, useFilters, useSelection } from '../contexts.ts';
import { EXPORT } from '../export/export-menu.ts';
import { FilterPopover, FilterSheet } from '../filters/FilterMenu.tsx';
import type { FeedView } from '../views/useFeedView.ts';
import { ViewsMenu } from '../views/ViewsMenu.tsx';
import { MarkAllReadDialog } from '../work/MarkAllRead.tsx';
import { MORE_BUTTON } from '../work/useBulkState.ts';
import styles from './Toolbar.module.css';

const ExportDialog = loadedLater(() => import('../export/ExportDialog.tsx'), 'ExportDialog');
const MoreItems = loadedLater(() => import('./MoreItems.tsx'), 'MoreItems');

/** The feed's controls in one row: search, period, filters, views and, in a menu, what is used rarely. On a phone they are icons. */
export function Toolbar({ view }: { view: FeedView }) {
  const { period, now, search, choosePeriod } = useFilters();
  const isWide = useIsWide();
  const [isOpened, setOpened] = useState(false);
  const [isExporting] = useLayer(EXPORT);
  const isShown = isWide || isOpened || search.q !== undefined;
  return (
    <div className={styles['toolbar']}>
      {isShown && <FeedSearchField isWide={isWide} isOpened={isOpened} />}
      <div className={styles['buttons']}>
        {!isWide && <SearchButton isShown={isShown} onPress={() => setOpened(!isOpened)} />}
        <PeriodChoice period={period} now={now} onChange={choosePeriod} />
        {isWide ? (
          <>
            <FilterPopover />
            <ViewsMenu view={view} />
            <ListMenu />
          </>
        ) : (
          <>
            <FilterSheet />
            <ViewsMenu view={view} button={moreButton()}>
              <MoreItems />
            </ViewsMenu>
          </>
        )}
      </div>
      <Opening isOpen={isExporting}>{() => <ExportDialog />}</Opening>
      <MarkAllReadDialog />
    </div>
  );
}

/** Shows and hides the search field on a phone. */
const SearchButton = ({ isShown, onPress }: { isShown: boolean; onPress: () => void }) =>
  !useFeedContent().isBare && (
    <ActionIcon variant="subtle" className={styles['icon'] ?? ''} aria-label={t('Search')} aria-expanded={isShown} onClick={onPress}>
      <IconSearch size={20} aria-hidden />
    </ActionIcon>
  );

const moreButton = () => (
  <ActionIcon {...{ [MORE_BUTTON]: '' }} variant="subtle" className={styles['icon'] ?? ''} aria-label={t('More for this list')}>
    <IconDots size={20} aria-hidden />
  </ActionIcon>
);

const ListMenu = () =>
  !useFeedContent().isBare && (
    <MenuButton button={moreButton()}>
      <MoreItems />
    </MenuButton>
  );

/** The search field. On a phone it opens below the heading; an empty list has none. */
function FeedSearchField({ isWide, isOpened }: { isWide: boolean; isOpened: boolean }) {
  const { search, change } = useFilters();
  const { isBare } = useFeedContent();
  const { focusList } = useSelection();
  const field = useRef<HTMLInputElement>(null);
  useShortcuts((command) => {
    if (command.do !== 'search') return false;
    field.current?.focus();
    return true;
  });
  if (isBare) return null;
  return (
    <div className={styles['search']}>
      <SearchField
        ref={field}
        label={t('Search feedback')}
        value={search.q ?? ''}
        onSearch={(text) => change({ q: text || undefined })}
        settles={300}
        aria-keyshortcuts="/"
        hint={isWide && <Kbd size="xs">/</Kbd>}
        onLeave={focusList}
        autoFocus={isOpened}
      />
    </div>
  );
}

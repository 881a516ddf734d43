import { useRef } from 'react';
import { useShortcuts } from '../../../frame/chrome/shortcuts.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { SearchField } from '../../../ui/forms/SearchField.tsx';
import { useIsWide } from '../../../ui/hooks.ts';
import { Button, Kbd } from '../../../ui/theme/mantine.ts';
import { FilterSheet } from '../filters/FilterMenu.tsx';
import { useBulk, useFilters, useListed, useSelection } from '../subjects.ts';
import styles from './ListBar.module.css';

/** The search box above the list, and the button that starts selecting rows. */
export function ListBar() {
  const { isBare } = useListed();
  const isWide = useIsWide();
  return isBare ? null : (
    <div className={styles['bar']}>
      <FeedSearchField isWide={isWide} />
      {!isWide && <FilterSheet />}
      <StartSelecting />
    </div>
  );
}

function FeedSearchField({ isWide }: { isWide: boolean }) {
  const { search, change } = useFilters();
  const { focusList } = useSelection();
  const field = useRef<HTMLInputElement>(null);
  useShortcuts((command) => {
    if (command.do !== 'search') return false;
    field.current?.focus();
    return true;
  });
  return (
    <SearchField
      ref={field}
      label="Search feedback"
      placeholder={isWide ? 'Search what visitors wrote' : 'Search'}
      value={search.q ?? ''}
      onSearch={(text) => change({ q: text || undefined })}
      settles={300}
      aria-keyshortcuts="/"
      hint={isWide && <Kbd size="xs">/</Kbd>}
      onLeave={focusList}
    />
  );
}

function StartSelecting() {
  const { isOn, opener, start } = useBulk();
  const isOff = useReadOnly() !== undefined;
  return isOn || isOff ? null : (
    <Button ref={opener} variant="default" onClick={start}>
      Select
    </Button>
  );
}

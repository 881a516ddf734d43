import { IconX } from '@tabler/icons-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useToolNames } from '../../../frame/share/tools.ts';
import { personName, propertyName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { useFilters } from '../contexts.ts';
import { filterLabel, type Pill } from '../labels.ts';
import { type FeedSearch, filtersOf, NO_FILTERS } from '../search.ts';
import { useTags } from '../work/useTags.ts';
import styles from './FilterPills.module.css';

/**
 * The active filters, each with a button that removes it. Search text isn't among them: the search box shows it. Removing a
 * pill moves nothing below, because the list keeps the height it once had.
 */
export function FilterPills() {
  const { search, change } = useFilters();
  const team = useTeam();
  const nameOfTool = useToolNames();
  const filters = filtersOf(search).filter((name): name is Pill => name !== 'q');
  const names = {
    property: (id: string) => propertyName(team, id),
    tool: (id: string) => nameOfTool(id) ?? t('Deleted placement'),
    person: (id: string) => personName(team, id),
    tag: useTags().nameOf,
  };
  const { list, hasRoom } = useReservedHeight(filters.length);

  function remove(next: Partial<FeedSearch>): void {
    // The pressed button disappears, so the focus moves to the list.
    list.current?.focus();
    change(next);
  }

  if (filters.length === 0 && !hasRoom) return null;
  return (
    <ul ref={list} className={styles['pills']} aria-label={t('Filters')} tabIndex={-1}>
      {filters.map((name) => {
        const label = filterLabel(name, search, names);
        return (
          <li key={name}>
            <button
              type="button"
              className={styles['pill']}
              aria-label={t('Remove {filter}', { filter: label })}
              onClick={() => remove({ [name]: undefined })}
            >
              <span className={styles['label']}>{label}</span>
              <IconX size={14} aria-hidden />
            </button>
          </li>
        );
      })}
      {filters.length > 1 && (
        <li>
          <button type="button" className={styles['clear']} onClick={() => remove({ ...NO_FILTERS, q: search.q })}>
            {t('Clear all')}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Keeps a list at its greatest height so far, until its width changes. */
function useReservedHeight(count: number): { readonly list: RefObject<HTMLUListElement | null>; readonly hasRoom: boolean } {
  const list = useRef<HTMLUListElement>(null);
  const reserved = useRef({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = list;
    if (!current) return;
    const width = current.clientWidth;
    if (width !== reserved.current.width) reserved.current = { width, height: 0 };
    current.style.minHeight = '';
    reserved.current.height = Math.max(reserved.current.height, current.offsetHeight);
    current.style.minHeight = `${reserved.current.height}px`;
  });
  const hasRoom = useRef(false);
  hasRoom.current ||= count > 0;
  return { list, hasRoom: hasRoom.current };
}

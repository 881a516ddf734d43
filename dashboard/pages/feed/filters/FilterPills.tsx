import { IconX } from '@tabler/icons-react';
import { propertyName, useTeam } from '../../../frame/team.ts';
import { filterLabel } from '../labels.ts';
import { type ChangeSearch, type FeedSearch, filtersOf, NO_FILTERS } from '../search.ts';
import styles from './FilterPills.module.css';

/** The filters that are set, each with a button that removes it. */
export function FilterPills({ search, onChange }: { search: FeedSearch; onChange: ChangeSearch }) {
  const team = useTeam();
  const filters = filtersOf(search);
  if (filters.length === 0) return null;
  return (
    <ul className={styles['pills']} aria-label="Filters">
      {filters.map((name) => {
        const label = filterLabel(name, search, (id) => propertyName(team, id));
        return (
          <li key={name}>
            <button type="button" className={styles['pill']} onClick={() => onChange({ [name]: undefined })}>
              <span className="visually-hidden">Remove </span>
              <span className={styles['label']}>{label}</span>
              <IconX size={14} aria-hidden />
            </button>
          </li>
        );
      })}
      {filters.length > 1 && (
        <li>
          <button type="button" className={styles['clear']} onClick={() => onChange(NO_FILTERS)}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}

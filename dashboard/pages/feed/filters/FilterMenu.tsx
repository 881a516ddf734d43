import { IconFilter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../../../language.ts';
import { BottomSheet } from '../../../ui/layers/SidePanel.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { PopoverButton } from '../../../ui/MenuButton.tsx';
import { Button, NativeSelect } from '../../../ui/theme/mantine.ts';
import { useFilters } from '../contexts.ts';
import { type FeedSearch, type Filter, filtersOf, readFeedSearch } from '../search.ts';
import styles from './FilterMenu.module.css';
import { useChoices } from './useChoices.ts';

/** A button that opens the filters in a popover, for wide windows. */
export const FilterPopover = () => (
  <PopoverButton
    label={t('Filters')}
    position="bottom-end"
    className={styles['panel'] ?? ''}
    button={
      <Button variant="subtle" px={10} leftSection={<IconFilter size={18} aria-hidden />}>
        {t('Filter')}
      </Button>
    }
  >
    {() => <AppliedFields />}
  </PopoverButton>
);

function AppliedFields() {
  const { search, change } = useFilters();
  return <FilterFields search={search} onChange={change} />;
}

/** The same in a bottom sheet, for phones. Applies the filters once it is closed, by whatever means, as it covers the list. */
export function FilterSheet() {
  const { search, change } = useFilters();
  const [isOpen, sheet] = useLayer('filters');
  const [chosen, setChosen] = useState<Partial<FeedSearch>>();
  const count = filtersOf(search).filter((name) => name !== 'q').length;
  useEffect(() => {
    if (isOpen || chosen === undefined) return;
    setChosen(undefined);
    change(chosen);
  }, [isOpen, chosen, change]);
  return (
    <>
      <Button variant="subtle" className={styles['open'] ?? ''} data-count={count || undefined} onClick={sheet.open}>
        <IconFilter size={20} aria-hidden />
        <span className="visually-hidden">{count > 0 ? t('Filters ({count})', { count }) : t('Filters')}</span>
      </Button>
      <BottomSheet isOpen={isOpen} title={t('Filters')} onClose={sheet.close}>
        <div className={styles['sheet']}>
          <FilterFields search={{ ...search, ...chosen }} onChange={setChosen} />
          <Button fullWidth size="md" px={8} onClick={sheet.close}>
            {t('Show feedback')}
          </Button>
        </div>
      </BottomSheet>
    </>
  );
}

interface FilterFieldsProps {
  readonly search: FeedSearch;
  readonly onChange: (change: Partial<FeedSearch>) => void;
}

/** A select for each filter of this feed. */
function FilterFields({ search, onChange }: FilterFieldsProps) {
  return (
    <div className={styles['fields']}>
      {Object.entries(useChoices(search)).map(([name, { label, any, of }]) => (
        <NativeSelect
          key={name}
          label={label}
          data={[{ value: '', label: any }, ...of]}
          value={String(search[name as Filter] ?? '')}
          onChange={({ currentTarget }) =>
            onChange(
              readFeedSearch({
                ...search,
                id: undefined,
                // A placement belongs to one property.
                ...(name === 'property' && { tool: undefined }),
                [name]: currentTarget.value,
              }),
            )
          }
        />
      ))}
    </div>
  );
}

import { IconFilter, IconPlus } from '@tabler/icons-react';
import { KINDS, SOURCES } from '#contract/feedback.ts';
import { RATING_WORDS, RATINGS } from '#contract/rating.ts';
import { useTeam } from '../../../frame/team.ts';
import { Button, NativeSelect, Popover, useDisclosure } from '../../../ui/mantine.ts';
import { BottomSheet } from '../../../ui/SidePanel.tsx';
import { KIND_LABELS, SOURCE_LABELS } from '../labels.ts';
import type { Scope } from '../scope.ts';
import { type ChangeSearch, type FeedSearch, type Filter, filtersOf, readFeedSearch } from '../search.ts';
import styles from './FilterMenu.module.css';

/** The filters behind a button: in a popover, or in a sheet from below on a phone. */
export function FilterMenu({ isWide, ...fields }: FilterFieldsProps & { isWide: boolean }) {
  const [isOpen, menu] = useDisclosure();
  const count = filtersOf(fields.search).length;
  if (isWide)
    return (
      <Popover opened={isOpen} onChange={menu.set} position="bottom-end" trapFocus returnFocus shadow="md">
        <Popover.Target>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={menu.toggle}>
            Filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Filters" className={styles['panel'] ?? ''}>
          <FilterFields {...fields} />
        </Popover.Dropdown>
      </Popover>
    );
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />} onClick={menu.open}>
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <BottomSheet isOpen={isOpen} title="Filters" onClose={menu.close}>
        <div className={styles['sheet']}>
          <FilterFields {...fields} />
          <Button fullWidth size="md" onClick={menu.close}>
            Show feedback
          </Button>
        </div>
      </BottomSheet>
    </>
  );
}

interface FilterFieldsProps {
  readonly scope: Scope;
  readonly search: FeedSearch;
  readonly onChange: ChangeSearch;
}

/** A select for each filter that this feed has. */
function FilterFields({ scope, search, onChange }: FilterFieldsProps) {
  const { properties } = useTeam();
  const kinds = scope.of === 'urgent' ? KINDS.filter((kind) => kind !== 'regular') : ([...KINDS, 'suspected'] as const);
  const choices: Partial<Record<Filter, { label: string; any: string; of: { value: string; label: string }[] }>> = {
    ...(scope.of !== 'property' && {
      property: {
        label: 'Property',
        any: 'All properties',
        of: properties.map(({ id, data }) => ({ value: id, label: data.displayName })),
      },
    }),
    kind: { label: 'Kind', any: 'All kinds', of: kinds.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })) },
    source: { label: 'Source', any: 'All sources', of: SOURCES.map((source) => ({ value: source, label: SOURCE_LABELS[source] })) },
    rating: { label: 'Rating', any: 'All ratings', of: RATINGS.map((rating) => ({ value: String(rating), label: RATING_WORDS[rating] })) },
  };
  return (
    <div className={styles['fields']}>
      {Object.entries(choices).map(([name, { label, any, of }]) => (
        <NativeSelect
          key={name}
          label={label}
          data={[{ value: '', label: any }, ...of]}
          value={String(search[name as Filter] ?? '')}
          onChange={({ currentTarget }) => onChange(readFeedSearch({ ...search, id: undefined, [name]: currentTarget.value }))}
        />
      ))}
    </div>
  );
}

import { IconFilter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { KINDS, SOURCES } from '#contract/feedback/feedback.ts';
import { RATING_WORDS, RATINGS } from '#contract/feedback/rating.ts';
import { STATUSES, UNASSIGNED } from '#contract/feedback/work.ts';
import { useTools } from '../../../frame/share/tools.ts';
import { propertyName, useTeam } from '../../../frame/team.ts';
import { BottomSheet } from '../../../ui/layers/SidePanel.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { PopoverButton } from '../../../ui/MenuButton.tsx';
import { Button, NativeSelect } from '../../../ui/theme/mantine.ts';
import { KIND_LABELS, SOURCE_LABELS, STATUS_LABELS } from '../labels.ts';
import type { Scope } from '../scope.ts';
import { type FeedSearch, type Filter, filtersOf, readFeedSearch } from '../search.ts';
import { useTags } from '../work/useTags.ts';
import styles from './FilterMenu.module.css';

/** A button that opens the filters: in a popover, or in a bottom sheet on a phone. */
export const FilterMenu = ({ isWide, ...fields }: FilterFieldsProps & { isWide: boolean }) =>
  isWide ? <FilterPopover {...fields} /> : <FilterSheet {...fields} />;

const FilterPopover = (fields: FilterFieldsProps) => (
  <PopoverButton
    label="Filters"
    position="bottom-end"
    className={styles['panel'] ?? ''}
    button={
      <Button variant="subtle" px={10} leftSection={<IconFilter size={18} aria-hidden />}>
        Filter
      </Button>
    }
  >
    {() => <FilterFields {...fields} />}
  </PopoverButton>
);

/** Applies the filters once the sheet is closed, by whatever means, as it covers the list. */
function FilterSheet({ scope, search, onChange }: FilterFieldsProps) {
  const [isOpen, sheet] = useLayer('filters');
  const [chosen, setChosen] = useState<Partial<FeedSearch>>();
  const count = filtersOf(search).filter((name) => name !== 'q').length;
  useEffect(() => {
    if (isOpen || chosen === undefined) return;
    setChosen(undefined);
    onChange(chosen);
  }, [isOpen, chosen, onChange]);
  return (
    <>
      <Button
        variant="subtle"
        className={styles['open'] ?? ''}
        aria-label={count > 0 ? `Filters (${count})` : 'Filters'}
        onClick={sheet.open}
      >
        <IconFilter size={20} aria-hidden />
        {count > 0 && <span className={styles['count']}>{count}</span>}
      </Button>
      <BottomSheet isOpen={isOpen} title="Filters" onClose={sheet.close}>
        <div className={styles['sheet']}>
          <FilterFields scope={scope} search={{ ...search, ...chosen }} onChange={setChosen} />
          <Button fullWidth size="md" px={8} onClick={sheet.close}>
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
  readonly onChange: (change: Partial<FeedSearch>) => void;
}

/** A select for each filter of this feed. */
function FilterFields({ scope, search, onChange }: FilterFieldsProps) {
  const team = useTeam();
  const { properties, users } = team;
  const { tags } = useTags();
  const people = users.filter(({ data }) => !data.invited);
  const property = scope.of === 'property' ? scope.property.id : search.property;
  const tools = useTools().filter(({ gs1sk }) => property === undefined || gs1sk === property);
  const kinds = scope.of === 'urgent' ? KINDS.filter((kind) => kind !== 'regular') : ([...KINDS, 'suspected'] as const);
  const choices: Partial<Record<Filter, { label: string; any: string; of: { value: string; label: string }[] }>> = {
    ...(scope.of !== 'property' && {
      property: {
        label: 'Property',
        any: 'All properties',
        of: properties.map(({ id, data }) => ({ value: id, label: data.displayName })),
      },
    }),
    ...(tools.length > 0 && {
      tool: {
        label: 'Placement',
        any: 'All placements',
        of: tools.map(({ id, gs1sk, data }) => ({
          value: id,
          label: property === undefined ? `${propertyName(team, gs1sk)} · ${data.displayName}` : data.displayName,
        })),
      },
    }),
    ...(scope.of !== 'urgent' && {
      status: { label: 'Status', any: 'Any status', of: STATUSES.map((status) => ({ value: status, label: STATUS_LABELS[status] })) },
    }),
    assignee: {
      label: 'Assigned to',
      any: 'Anyone',
      of: [{ value: UNASSIGNED, label: 'No one' }, ...people.map(({ id, data }) => ({ value: id, label: data.displayName }))],
    },
    ...(tags.length > 0 && {
      tag: { label: 'Tag', any: 'Any tags', of: tags.map(({ id, data }) => ({ value: id, label: data.displayName })) },
    }),
    unread: { label: 'Read', any: 'Read and unread', of: [{ value: 'yes', label: 'Unread' }] },
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

import { KINDS, SOURCES } from '#contract/feedback.ts';
import { RATING_WORDS, RATINGS } from '#contract/rating.ts';
import { useTeam } from '../../../frame/data.tsx';
import { NativeSelect } from '../../../ui/mantine.ts';
import type { Scope } from '../scope.ts';
import { type FeedSearch, type Filter, readFeedSearch } from '../search.ts';
import type { ChangeSearch } from '../useFeedSearch.ts';
import { KIND_WORDS, SOURCE_WORDS } from '../words.ts';
import styles from './FilterFields.module.css';

export interface FilterFieldsProps {
  readonly scope: Scope;
  readonly search: FeedSearch;
  readonly onChange: ChangeSearch;
}

/** One choice a filter, of what this feed can be narrowed to. */
export function FilterFields({ scope, search, onChange }: FilterFieldsProps) {
  const { properties } = useTeam();
  const kinds = scope.of === 'urgent' ? KINDS.filter((kind) => kind !== 'regular') : KINDS;
  const choices: Partial<Record<Filter, { label: string; any: string; of: { value: string; label: string }[] }>> = {
    ...(scope.of !== 'property' && {
      property: {
        label: 'Property',
        any: 'All properties',
        of: properties.map(({ id, data }) => ({ value: id, label: data.displayName })),
      },
    }),
    kind: { label: 'Kind', any: 'All kinds', of: kinds.map((kind) => ({ value: kind, label: KIND_WORDS[kind] })) },
    source: { label: 'Source', any: 'All sources', of: SOURCES.map((source) => ({ value: source, label: SOURCE_WORDS[source] })) },
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

import { KINDS, SOURCES } from '#contract/feedback/filters.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { STATUSES, UNASSIGNED } from '#contract/feedback/work.ts';
import { languageName, languagesByName } from '#contract/language/languages.ts';
import { useTools } from '../../../frame/share/tools.ts';
import { propertyName, useTeam } from '../../../frame/team.ts';
import { languageShown, t } from '../../../language.ts';
import { ratingWord } from '../../../ui/format/rating.ts';
import { useFilters } from '../contexts.ts';
import { KIND_LABELS, sourceLabel, statusLabel } from '../labels.ts';
import type { FeedSearch, Filter } from '../search.ts';
import { useTags } from '../work/useTags.ts';

interface FilterChoice {
  readonly label: string;
  /** The option that removes the filter. */
  readonly any: string;
  readonly of: readonly { readonly value: string; readonly label: string }[];
}
type Choices = Partial<Record<Filter, FilterChoice>>;

/** Returns the options of each filter of this feed, in display order. */
export function useChoices({ property }: FeedSearch): Choices {
  const { scope } = useFilters();
  const { users, properties } = useTeam();
  const { tags } = useTags();
  const tools = useToolOptions(scope.of === 'property' ? scope.property.id : property);
  const people = users.filter(({ data }) => !data.invited);
  const kinds = scope.of === 'urgent' ? KINDS.filter((kind) => kind !== 'regular') : ([...KINDS, 'suspected'] as const);
  return {
    ...(scope.of !== 'property' && { property: { label: t('Property'), any: t('All properties'), of: properties.map(optionOf) } }),
    ...(tools.length > 0 && { tool: { label: t('Placement'), any: t('All placements'), of: tools } }),
    ...(scope.of !== 'urgent' && { status: { label: t('Status'), any: t('Any status'), of: labeled(STATUSES, statusLabel) } }),
    assignee: { label: t('Assigned to'), any: t('Anyone'), of: [{ value: UNASSIGNED, label: t('No one') }, ...people.map(optionOf)] },
    ...(tags.length > 0 && { tag: { label: t('Tag'), any: t('Any tags'), of: tags.map(optionOf) } }),
    unread: { label: t.in('filter', 'Read'), any: t('Read and unread'), of: [{ value: 'yes', label: t('Unread') }] },
    kind: { label: t('Kind'), any: t('All kinds'), of: labeled(kinds, (kind) => t(KIND_LABELS[kind])) },
    source: { label: t('Source'), any: t('All sources'), of: labeled(SOURCES, sourceLabel) },
    rating: { label: t('Rating'), any: t('All ratings'), of: labeled(RATINGS, ratingWord) },
    language: {
      label: t('Language'),
      any: t('Any language'),
      of: languagesByName(languageShown()).map((value) => ({ value, label: languageName(value, languageShown()) })),
    },
  };
}

/** Returns the placements of a property, or of all with the property's name. */
function useToolOptions(property: string | undefined) {
  const team = useTeam();
  return useTools()
    .filter(({ gs1sk }) => property === undefined || gs1sk === property)
    .map(({ id, gs1sk, data }) => ({
      value: id,
      label: property === undefined ? `${propertyName(team, gs1sk)} · ${data.displayName}` : data.displayName,
    }));
}

const optionOf = ({ id, data }: { readonly id: string; readonly data: { readonly displayName: string } }) => ({
  value: id,
  label: data.displayName,
});

const labeled = <V extends string | number>(values: readonly V[], labelOf: (value: V) => string) =>
  values.map((value) => ({ value: String(value), label: labelOf(value) }));

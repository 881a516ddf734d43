import { folded } from '#contract/feedback/search.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';

/** A page or action in the palette. */
export interface PaletteEntry {
  /** Stable, so that recent entries can be found again. */
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** Other search terms. */
  readonly words?: string;
  /** Also closes the palette. */
  readonly run: () => void;
}

/** The groups in order, with their labels. */
export const GROUPS = translatable({
  Recent: 'Recent',
  Pages: 'Pages',
  Views: 'Views',
  Properties: 'Properties',
  Actions: 'Actions',
  Docs: 'Docs',
});
export type PaletteGroup = keyof typeof GROUPS;
const IN_ORDER = Object.keys(GROUPS) as readonly PaletteGroup[];

export interface PaletteSection {
  readonly group: PaletteGroup;
  readonly entries: readonly PaletteEntry[];
}

const MOST_RECENT = 5;
/** The most properties and docs without a search: there can be many, and they have their own pages. */
const FEW = 5;
const MOST_FOUND = 40;

/** Returns the entries that match all words, by group: matching beginnings come first, or recent entries without a search. */
export function sectionsOf(all: readonly PaletteEntry[], search: string, recent: readonly string[]): PaletteSection[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  const entriesToShow = words.length === 0 ? withoutSearch(all, recent) : matching(all, words);
  return IN_ORDER.flatMap((group) => {
    const entries = entriesToShow.filter((entry) => entry.group === group);
    return entries.length > 0 ? [{ group, entries }] : [];
  });
}

function withoutSearch(all: readonly PaletteEntry[], recent: readonly string[]): PaletteEntry[] {
  const ofRecent = recent.slice(0, MOST_RECENT).flatMap((id) => all.find((entry) => entry.id === id) ?? []);
  const rest = all.filter(({ id }) => !ofRecent.some((entry) => entry.id === id));
  const few = rest.filter(
    ({ group }, at) => rest.slice(0, at).filter((earlier) => earlier.group === group).length < FEW || !MANY.includes(group),
  );
  return [...ofRecent.map((entry) => ({ ...entry, group: 'Recent' as const })), ...few];
}

const MANY: readonly PaletteGroup[] = ['Properties', 'Docs'];

function matching(all: readonly PaletteEntry[], words: readonly string[]): PaletteEntry[] {
  const rated = all.flatMap((entry) => {
    const rank = rankOf(entry, words);
    return rank === undefined ? [] : [{ entry, rank }];
  });
  return rated
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
}

/** Returns 0 if the label begins with the words, 1 if its words do, 2 if they appear anywhere; undefined if any is missing. */
function rankOf({ label, words: others = '', group }: PaletteEntry, words: readonly string[]): number | undefined {
  const [name, everything] = [folded(label), folded(`${label} ${others} ${t(GROUPS[group])}`)];
  if (!words.every((word) => everything.includes(word))) return undefined;
  if (name.startsWith(words.join(' '))) return 0;
  return words.every((word) => ` ${name}`.includes(` ${word}`)) ? 1 : 2;
}

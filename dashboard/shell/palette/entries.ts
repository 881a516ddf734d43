/** What the palette leads to. */
export interface PaletteEntry {
  /** The same at every opening: recent ones are recognised by it. */
  readonly id: string;
  readonly group: PaletteGroup;
  readonly label: string;
  /** What else it is found by. */
  readonly words?: string;
  /** Closes the palette on its way. */
  readonly run: () => void;
}

const GROUPS = ['Recent', 'Pages', 'Views', 'Properties', 'Actions', 'Docs'] as const;
export type PaletteGroup = (typeof GROUPS)[number];

export interface PaletteSection {
  readonly group: PaletteGroup;
  readonly entries: readonly PaletteEntry[];
}

const MOST_RECENT = 5;
/** Without words, of properties and docs: there are many, and they have pages of their own. */
const FEW = 5;
const MOST_FOUND = 40;

/** The entries to show, by group: all the words must be there, and those that begin with them come first. Without words, recent ones do. */
export function sectionsOf(all: readonly PaletteEntry[], search: string, recent: readonly string[]): PaletteSection[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? unasked(all, recent) : matching(all, words);
  return GROUPS.flatMap((group) => {
    const entries = found.filter((entry) => entry.group === group);
    return entries.length > 0 ? [{ group, entries }] : [];
  });
}

function unasked(all: readonly PaletteEntry[], recent: readonly string[]): PaletteEntry[] {
  const ofRecent = recent.slice(0, MOST_RECENT).flatMap((id) => all.find((entry) => entry.id === id) ?? []);
  const rest = all.filter(({ id }) => !ofRecent.some((entry) => entry.id === id));
  const few = rest.filter(
    ({ group }, at) => rest.slice(0, at).filter((before) => before.group === group).length < FEW || !MANY.includes(group),
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
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
}

/** 0: the label begins with the words. 1: words of it do. 2: they stand somewhere. Undefined: not all of them do. */
function rankOf({ label, words: others = '', group }: PaletteEntry, words: readonly string[]): number | undefined {
  const [name, everything] = [folded(label), folded(`${label} ${others} ${group}`)];
  if (!words.every((word) => everything.includes(word))) return undefined;
  if (name.startsWith(words.join(' '))) return 0;
  return words.every((word) => ` ${name}`.includes(` ${word}`)) ? 1 : 2;
}

/** Without regard to case and accents. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

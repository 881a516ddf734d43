import { RATINGS, type Rating } from '#contract/rating.ts';
import { usePersisted } from '../data/persisted.ts';
import { useWindowEvent } from '../ui/mantine.ts';

/** What a key asks for. */
export type Command =
  | { readonly do: 'step'; readonly by: 1 | -1 }
  | { readonly do: 'close' }
  | { readonly do: 'rate'; readonly rating: Rating | undefined }
  | { readonly do: 'period'; readonly by: 1 | -1 }
  | { readonly do: 'search' }
  | { readonly do: 'help' };

interface Shortcut {
  readonly label: string;
  /** The keys as the help shows them. */
  readonly keys: readonly string[];
  /** The command of each key, lower-cased. Left out where the browser does it by itself. */
  readonly commands?: Readonly<Record<string, Command>>;
  /** The commands of keys that scroll unless a row of a list has the focus. */
  readonly onRow?: Readonly<Record<string, Command>>;
}

const NEXT: Command = { do: 'step', by: 1 };
const PREVIOUS: Command = { do: 'step', by: -1 };
const HELP_KEY = '?';

/** Every shortcut of the dashboard: the handler and the help both read this table (docs/rules.md#shortcuts). Each has a visible control too. */
export const SHORTCUTS: readonly Shortcut[] = [
  { label: 'Next feedback', keys: ['J', '↓'], commands: { j: NEXT }, onRow: { arrowdown: NEXT } },
  { label: 'Previous feedback', keys: ['K', '↑'], commands: { k: PREVIOUS }, onRow: { arrowup: PREVIOUS } },
  { label: 'Read the feedback', keys: ['Enter'] },
  { label: 'Back to the list', keys: ['Esc'], commands: { escape: { do: 'close' } } },
  {
    label: 'Show one rating, from Awful to Great',
    keys: ['1', '–', '5'],
    commands: Object.fromEntries(RATINGS.map((rating) => [rating, { do: 'rate', rating }])),
  },
  { label: 'Show all ratings', keys: ['0'], commands: { 0: { do: 'rate', rating: undefined } } },
  { label: 'Shorter period', keys: ['['], commands: { '[': { do: 'period', by: -1 } } },
  { label: 'Longer period', keys: [']'], commands: { ']': { do: 'period', by: 1 } } },
  { label: 'Search', keys: ['/'], commands: { '/': { do: 'search' } } },
  { label: 'This list', keys: [HELP_KEY], commands: { [HELP_KEY]: { do: 'help' } } },
];

/** A key as it was pressed, and where. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Pressed in a field that takes text, or in a menu or dialog with keys of its own. */
  readonly isInControl: boolean;
  /** Pressed on a row of a list: the arrow keys scroll everywhere else. */
  readonly isOnRow: boolean;
}

/** What a key asks for, if anything. */
export function commandOf({ key, ctrlKey, metaKey, altKey, isInControl, isOnRow }: Press): Command | undefined {
  if (isInControl || ctrlKey || metaKey || altKey) return undefined;
  const name = key.toLowerCase();
  for (const { commands = {}, onRow = {} } of SHORTCUTS) {
    const command = commands[name] ?? (isOnRow ? onRow[name] : undefined);
    if (command) return command;
  }
  return undefined;
}

/** Marks a row of a list. */
export const ROW = 'data-shortcut-row';
/** Marks a dialog that shortcuts reach into: the open feedback on a phone. */
export const SHORTCUTS_PASS = 'data-shortcuts-pass';

/** Calls back with each command while the page is mounted. A command that was not carried out leaves its key to the browser. */
export function useShortcuts(carryOut: (command: Command) => boolean): void {
  useWindowEvent('keydown', (event) => {
    const isOff = event.key.length === 1 && !usePersisted.getState().keys;
    const command = event.defaultPrevented || isOff ? undefined : commandOf(pressOf(event));
    if (command && carryOut(command)) event.preventDefault();
  });
}

const FIELDS = 'input, textarea, select';
const WITH_OWN_KEYS = `${FIELDS}, [contenteditable], [role="menu"], [role="slider"], [role="radiogroup"], [role="dialog"]:not([${SHORTCUTS_PASS}])`;

function pressOf({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): Press {
  const element = target instanceof Element ? target : undefined;
  // The help closes by its key too.
  const controls = key === HELP_KEY ? FIELDS : WITH_OWN_KEYS;
  return { key, ctrlKey, metaKey, altKey, isInControl: element?.closest(controls) != null, isOnRow: element?.closest(`[${ROW}]`) != null };
}

import { useRef } from 'react';
import { RATINGS, type Rating } from '#contract/feedback/rating.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { useSingleKeys } from '../../data/shortcuts.ts';
import { useWindowEvent } from '../../ui/theme/mantine.ts';

/** The command of a shortcut. */
type Command =
  | { readonly do: 'step'; readonly by: 1 | -1 }
  | { readonly do: 'close' }
  | { readonly do: 'rate'; readonly rating: Rating | undefined }
  | { readonly do: 'period'; readonly by: 1 | -1 }
  | { readonly do: 'done'; readonly isNext: boolean }
  | { readonly do: 'unread' }
  | { readonly do: 'undo' }
  | { readonly do: 'search' }
  | { readonly do: 'comment' }
  | { readonly do: 'reply' }
  | { readonly do: 'go'; readonly to: Destination }
  | { readonly do: 'palette' }
  | { readonly do: 'help' };

/** The pages that shortcuts go to. */
export type Destination = 'feed' | 'urgent' | 'properties' | 'users' | 'administration' | 'docs';

interface Shortcut {
  readonly label: Untranslated;
  /** The keys as the help shows them. */
  readonly keys: readonly string[];
  /** The command of each lower-case key, or of two keys separated by a space. Missing if the browser handles the key itself. */
  readonly commands?: Readonly<Record<string, Command>>;
  /** The commands of keys that scroll, unless a row has the focus. */
  readonly onRow?: Readonly<Record<string, Command>>;
  /** Also works in fields, menus and dialogs. */
  readonly isEverywhere?: true;
  /** Goes to a page for admins. */
  readonly isForAdmins?: true;
}

const NEXT: Command = { do: 'step', by: 1 };
const PREVIOUS: Command = { do: 'step', by: -1 };
const HELP_KEY = '?';
const go = (to: Destination): Command => ({ do: 'go', to });

/** Every shortcut, for both the handler and the help (docs/rules.md#shortcuts). Each also has a visible control. */
export const SHORTCUTS: readonly Shortcut[] = [
  { label: translatable('Next feedback'), keys: ['J', '↓'], commands: { j: NEXT }, onRow: { arrowdown: NEXT } },
  { label: translatable('Previous feedback'), keys: ['K', '↑'], commands: { k: PREVIOUS }, onRow: { arrowup: PREVIOUS } },
  { label: translatable('Read the feedback'), keys: ['Enter'] },
  {
    label: translatable('Mark as done, or reopen'),
    keys: ['E'],
    commands: { e: { do: 'done', isNext: false } },
  },
  { label: translatable('Mark as done and go to the next'), keys: ['Shift', 'E'], commands: { 'shift+e': { do: 'done', isNext: true } } },
  { label: translatable('Mark as unread'), keys: ['U'], commands: { u: { do: 'unread' } } },
  { label: translatable('Undo'), keys: ['Ctrl', 'Z'], commands: { 'ctrl+z': { do: 'undo' } } },
  { label: translatable('Back to the list'), keys: ['Esc'], commands: { escape: { do: 'close' } } },
  {
    label: translatable('Show one rating, from Awful to Great'),
    keys: ['1', '–', '5'],
    commands: Object.fromEntries(RATINGS.map((rating) => [rating, { do: 'rate', rating }])),
  },
  { label: translatable('Show all ratings'), keys: ['0'], commands: { 0: { do: 'rate', rating: undefined } } },
  { label: translatable('Shorter period'), keys: ['['], commands: { '[': { do: 'period', by: -1 } } },
  { label: translatable('Longer period'), keys: [']'], commands: { ']': { do: 'period', by: 1 } } },
  { label: translatable('Comment'), keys: ['C'], commands: { c: { do: 'comment' } } },
  { label: translatable('Reply to the visitor'), keys: ['R'], commands: { r: { do: 'reply' } } },
  { label: translatable('Search or jump to'), keys: ['Ctrl', 'K'], commands: { 'ctrl+k': { do: 'palette' } }, isEverywhere: true },
  { label: translatable('Go to all feedback'), keys: ['G', 'then', 'F'], commands: { 'g f': go('feed') } },
  { label: translatable('Go to urgent'), keys: ['G', 'then', 'U'], commands: { 'g u': go('urgent') } },
  { label: translatable('Go to properties'), keys: ['G', 'then', 'P'], commands: { 'g p': go('properties') } },
  { label: translatable('Go to users'), keys: ['G', 'then', 'S'], commands: { 'g s': go('users') }, isForAdmins: true },
  { label: translatable('Go to administration'), keys: ['G', 'then', 'A'], commands: { 'g a': go('administration') }, isForAdmins: true },
  { label: translatable('Go to the docs'), keys: ['G', 'then', 'D'], commands: { 'g d': go('docs') } },
  { label: translatable('Search'), keys: ['/'], commands: { '/': { do: 'search' } } },
  { label: translatable('This list'), keys: [HELP_KEY], commands: { [HELP_KEY]: { do: 'help' } } },
];

/** Only letters need the Shift prefix: other keys change with Shift. */
const LETTER = /^[a-z]$/;

/** A key press and its context. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** Pressed in a field that takes text, or in a menu or dialog with keys of its own. */
  readonly isInControl: boolean;
  /** Pressed on a select, where letters choose an option. */
  readonly isOnSelect: boolean;
  /** Pressed on a row; elsewhere the arrow keys scroll. */
  readonly isOnRow: boolean;
  /** The previous key, if it starts a sequence. */
  readonly after?: string | undefined;
}

/** Returns the command of a key press, if any. */
export function commandOf(press: Press): Command | undefined {
  for (const name of namesOf(press)) {
    for (const { commands = {}, onRow = {}, isEverywhere } of SHORTCUTS) {
      const command = commands[name] ?? (press.isOnRow ? onRow[name] : undefined);
      if (command && (isEverywhere || !isTaken(press))) return command;
    }
  }
  return undefined;
}

/** Returns whether the focused control uses the key itself. */
const isTaken = ({ isInControl, isOnSelect, ctrlKey, metaKey }: Press): boolean => isInControl || (isOnSelect && !ctrlKey && !metaKey);

/** Returns the names to look up in the table, the most specific first. */
function namesOf({ key, ctrlKey, metaKey, altKey, shiftKey, after }: Press): string[] {
  const plain = key.toLowerCase();
  const isShifted = shiftKey && LETTER.test(plain);
  if (altKey) return [];
  if (ctrlKey || metaKey) return [isShifted ? `ctrl+shift+${plain}` : `ctrl+${plain}`];
  // The second key of a sequence loses its own command.
  if (after !== undefined) return [`${after} ${plain}`];
  // With caps lock on, Shift gives the plain letter.
  return isShifted ? [`shift+${plain}`, plain] : [plain];
}

/** The keys that start a sequence. */
const FIRST_KEYS = new Set(SHORTCUTS.flatMap(({ commands = {} }) => Object.keys(commands).flatMap((name) => name.split(' ').slice(0, -1))));
/** How long a sequence waits for its second key (ms). */
const SEQUENCE_TIMEOUT = 1_500;

interface FirstKey {
  readonly key: string;
  readonly at: number;
}

/** Returns the first key of a sequence, if this press starts one. */
export function firstKeyOf(press: Press, at: number): FirstKey | undefined {
  const { ctrlKey, metaKey, altKey, after } = press;
  const plain = press.key.toLowerCase();
  const isFirst = !isTaken(press) && !ctrlKey && !metaKey && !altKey && after === undefined && FIRST_KEYS.has(plain);
  return isFirst ? { key: plain, at } : undefined;
}

/** Marks a row of a list. */
export const ROW = 'data-shortcut-row';
/** Marks a dialog in which shortcuts work: the open feedback on a phone. */
export const SHORTCUTS_PASS = 'data-shortcuts-pass';

/** Calls `run` with each command while mounted. If it returns false, the browser handles the key. */
export function useShortcuts(run: (command: Command) => boolean): void {
  const first = useRef<FirstKey>(undefined);
  useWindowEvent('keydown', (event) => {
    // Shift comes before its letter.
    if (event.key === 'Shift') return;
    const isOff = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !useSingleKeys.getState().areOn;
    const press = pressOf(event, first.current);
    first.current = event.defaultPrevented || isOff ? undefined : firstKeyOf(press, event.timeStamp);
    const command = event.defaultPrevented || isOff ? undefined : commandOf(press);
    if (command && run(command)) event.preventDefault();
  });
}

/** Excludes checkboxes and radios, which use only Space and the arrows. */
const TEXT_FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable]';
const WITH_OWN_KEYS = `${TEXT_FIELDS}, [role="menu"], [role="slider"], [role="dialog"]:not([${SHORTCUTS_PASS}])`;

function pressOf({ key, ctrlKey, metaKey, altKey, shiftKey, target, timeStamp }: KeyboardEvent, first: FirstKey | undefined): Press {
  const element = target instanceof Element ? target : undefined;
  // The help's key also closes its dialog.
  const controls = key === HELP_KEY ? TEXT_FIELDS : WITH_OWN_KEYS;
  return {
    key,
    ctrlKey,
    metaKey,
    altKey,
    shiftKey,
    isInControl: element?.closest(controls) != null,
    isOnSelect: element?.closest('select') != null,
    isOnRow: element?.closest(`[${ROW}]`) != null,
    after: first && timeStamp - first.at <= SEQUENCE_TIMEOUT ? first.key : undefined,
  };
}

import { type KeyboardEvent, type Ref, useId, useRef, useState } from 'react';
import { MAX_TEXT } from '#contract/feedback/rating.ts';
import type { User } from '#contract/user/user.ts';
import { useTeam } from '../../../frame/team.ts';
import { Textarea } from '../../../ui/theme/mantine.ts';
import { UserAvatar } from '../../../ui/UserAvatar.tsx';
import styles from './MentionField.module.css';
import { type BegunMention, begunMention, mentionName, suggestionsFor, withIds } from './mentions.ts';

interface MentionFieldProps {
  readonly label: string;
  readonly labelProps?: { readonly className: string };
  readonly description?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Called on Ctrl+Enter or ⌘+Enter. */
  readonly onSubmit: () => void;
  /** Called on Escape while the list is closed. */
  readonly onCancel?: () => void;
  readonly autoFocus?: boolean;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** The field counts down once this many characters are left (UTF-16 units). */
const COUNTDOWN_FROM = 200;

/**
 * A text field with mentions. Typing `@` opens a list of teammates: the arrow keys move, Enter or Tab picks one.
 * A text area cannot be a combobox, so it is a text box that owns a list, announced to screen readers when it opens.
 */
export function MentionField({ value, onChange, onSubmit, onCancel, ref, ...rest }: MentionFieldProps) {
  const { user, users } = useTeam();
  const list = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [begun, setBegun] = useState<BegunMention>();
  const [chosen, setChosen] = useState(0);
  const suggestions = begun ? suggestionsFor(begun.typed, users, user.id) : [];
  const isOpen = suggestions.length > 0;
  const current = suggestions[Math.min(chosen, suggestions.length - 1)];
  const left = MAX_TEXT - withIds(value, users).length;

  function updateMention({ value: text, selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const next = selectionStart === selectionEnd ? begunMention(text, selectionStart) : undefined;
    if (next?.at !== begun?.at || next?.typed !== begun?.typed) setChosen(0);
    setBegun(next);
  }

  function insert(person: User): void {
    if (!begun) return;
    const end = begun.at + 1 + begun.typed.length;
    const written = `${value.slice(0, begun.at)}@${mentionName(person, users)} `;
    onChange(written + value.slice(end).replace(/^ /, ''));
    setBegun(undefined);
    // The caret can move only once the new text is in the field.
    requestAnimationFrame(() => area.current?.setSelectionRange(written.length, written.length));
  }

  /** Returns true if the list used the key. */
  function handleListKey({ key }: KeyboardEvent): boolean {
    if (!isOpen || !current) return false;
    if (key === 'ArrowDown') setChosen((chosen + 1) % suggestions.length);
    else if (key === 'ArrowUp') setChosen((chosen + suggestions.length - 1) % suggestions.length);
    else if (key === 'Enter' || key === 'Tab') insert(current);
    else if (key === 'Escape') setBegun(undefined);
    else return false;
    return true;
  }

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isSubmit && handleListKey(event)) event.preventDefault();
    else if (isSubmit) onSubmit();
    else if (event.key === 'Escape') onCancel?.();
  }

  return (
    <div className={styles['field']}>
      <Textarea
        {...rest}
        ref={(element) => {
          area.current = element;
          if (typeof ref === 'function') ref(element);
          else if (ref) ref.current = element;
        }}
        value={value}
        autosize
        minRows={2}
        maxRows={12}
        autoComplete="off"
        dir="auto"
        error={left < 0 ? `${-left} characters over the limit` : undefined}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          updateMention(currentTarget);
        }}
        onSelect={({ currentTarget }) => updateMention(currentTarget)}
        onBlur={() => setBegun(undefined)}
        onKeyDown={handleKey}
        // Escape closes the list or the edit, and not the sheet around it.
        data-mantine-stop-propagation={isOpen || onCancel !== undefined}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen && current ? `${list}-${current.id}` : undefined}
      />
      {left >= 0 && left < COUNTDOWN_FROM && <p className={styles['left']}>{left} characters left</p>}
      <span role="status" className="visually-hidden">
        {isOpen
          ? `${suggestions.length === 1 ? 'One teammate' : `${suggestions.length} teammates`}; up and down to choose, Enter to mention`
          : ''}
      </span>
      {isOpen && (
        <div id={list} role="listbox" aria-label="Teammates" className={styles['list']}>
          {suggestions.map((person) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              key={person.id}
              id={`${list}-${person.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={person === current}
              // The focus stays in the field.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => insert(person)}
            >
              <UserAvatar person={person} size={24} />
              <span>{mentionName(person, users)}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

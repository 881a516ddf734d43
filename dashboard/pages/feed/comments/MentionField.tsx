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
  readonly description?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Control or command with Enter. */
  readonly onSubmit: () => void;
  /** Escape, while no list is open. */
  readonly onCancel?: () => void;
  readonly autoFocus?: boolean;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** So many characters before the end (UTF-16 units) the field says how many are left. */
const NEARLY = 200;

/**
 * Words for teammates. A typed `@` opens a list of them beside the caret's field: the arrows choose, Enter or Tab takes one.
 * A text area cannot be a combobox, so it is a text box that owns a list, which screen readers are told of as it opens.
 */
export function MentionField({ value, onChange, onSubmit, onCancel, ref, ...rest }: MentionFieldProps) {
  const { user, users } = useTeam();
  const list = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [begun, setBegun] = useState<BegunMention>();
  const [chosen, setChosen] = useState(0);
  const found = begun ? suggestionsFor(begun.typed, users, user.id) : [];
  const isOpen = found.length > 0;
  const current = found[Math.min(chosen, found.length - 1)];
  const left = MAX_TEXT - withIds(value, users).length;

  function look({ value: text, selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const next = selectionStart === selectionEnd ? begunMention(text, selectionStart) : undefined;
    if (next?.at !== begun?.at || next?.typed !== begun?.typed) setChosen(0);
    setBegun(next);
  }

  function take(person: User): void {
    if (!begun) return;
    const end = begun.at + 1 + begun.typed.length;
    const written = `${value.slice(0, begun.at)}@${mentionName(person, users)} `;
    onChange(written + value.slice(end).replace(/^ /, ''));
    setBegun(undefined);
    // Once the text is in the field.
    requestAnimationFrame(() => area.current?.setSelectionRange(written.length, written.length));
  }

  /** True where the key was the list's. */
  function isOfList({ key }: KeyboardEvent): boolean {
    if (!isOpen || !current) return false;
    if (key === 'ArrowDown') setChosen((chosen + 1) % found.length);
    else if (key === 'ArrowUp') setChosen((chosen + found.length - 1) % found.length);
    else if (key === 'Enter' || key === 'Tab') take(current);
    else if (key === 'Escape') setBegun(undefined);
    else return false;
    return true;
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isSubmit && isOfList(event)) event.preventDefault();
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
        error={left < 0 ? `${-left} characters too many` : undefined}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          look(currentTarget);
        }}
        onSelect={({ currentTarget }) => look(currentTarget)}
        onBlur={() => setBegun(undefined)}
        onKeyDown={press}
        // Escape closes the list or the edit, and not the sheet around it.
        data-mantine-stop-propagation={isOpen || onCancel !== undefined}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen && current ? `${list}-${current.id}` : undefined}
      />
      {left >= 0 && left < NEARLY && <p className={styles['left']}>{left} characters left</p>}
      <span role="status" className="visually-hidden">
        {isOpen ? `${found.length === 1 ? 'One teammate' : `${found.length} teammates`}; up and down to choose, Enter to mention` : ''}
      </span>
      {isOpen && (
        <div id={list} role="listbox" aria-label="Teammates" className={styles['list']}>
          {found.map((person) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              key={person.id}
              id={`${list}-${person.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={person === current}
              // The focus stays in the field.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(person)}
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

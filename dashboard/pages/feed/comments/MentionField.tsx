import { type ComponentProps, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_TEXT } from '#contract/feedback/rating.ts';
import type { User } from '#contract/user/user.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Textarea, useMergedRef } from '../../../ui/theme/mantine.ts';
import { UserAvatar } from '../../../ui/UserAvatar.tsx';
import styles from './MentionField.module.css';
import { type MentionDraft, mentionAtCaret, mentionName, suggestionsFor, withIds } from './mentions.ts';

/** The attributes that the field passes on. */
type MentionAttributes = Pick<ComponentProps<typeof Textarea>, 'label' | 'labelProps' | 'description' | 'autoFocus' | 'readOnly'>;

interface MentionFieldProps extends MentionAttributes {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Called on Ctrl+Enter or ⌘+Enter. */
  readonly onSubmit: () => void;
  /** Called on Escape while the list is closed. */
  readonly onCancel?: () => void;
  readonly ref?: ComponentProps<typeof Textarea>['ref'];
}

/** The field counts down once this many characters are left (UTF-16 units). */
const COUNTDOWN_FROM = 200;

/**
 * A text field with mentions. Typing `@` opens a list of teammates: the arrow keys move, Enter or Tab picks one.
 * A text area cannot be a combobox, so it is a text box that owns a list, announced to screen readers when it opens.
 */
export function MentionField({ value, onChange, onSubmit, onCancel, ref, ...attributes }: MentionFieldProps) {
  const { users } = useTeam();
  const list = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const mention = useMention(area, value, onChange);
  const { people, current } = mention;
  const left = MAX_TEXT - withIds(value, users).length;

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isSubmit && mention.handleKey(event)) event.preventDefault();
    else if (isSubmit) onSubmit();
    else if (event.key === 'Escape') onCancel?.();
  }

  return (
    <div className={styles['field']}>
      <Textarea
        {...attributes}
        ref={useMergedRef(area, ref)}
        value={value}
        autosize
        minRows={2}
        maxRows={12}
        autoComplete="off"
        dir="auto"
        error={left < 0 ? t.count(-left, '{count} character over the limit', '{count} characters over the limit') : undefined}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          mention.update(currentTarget);
        }}
        onSelect={({ currentTarget }) => mention.update(currentTarget)}
        onBlur={mention.close}
        onKeyDown={handleKey}
        // Escape closes the list or the edit, and not the sheet around it.
        data-mantine-stop-propagation={current !== undefined || onCancel !== undefined}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={current && list}
        aria-activedescendant={current && `${list}-${current.id}`}
      />
      {left >= 0 && left < COUNTDOWN_FROM && (
        <p className={styles['left']}>{t.count(left, '{count} character left', '{count} characters left')}</p>
      )}
      <span role="status" className="visually-hidden">
        {current
          ? t.count(
              people.length,
              'One teammate; up and down to choose, Enter to mention',
              '{count} teammates; up and down to choose, Enter to mention',
            )
          : ''}
      </span>
      {current && <Suggestions id={list} people={people} current={current} onChoose={mention.insert} />}
    </div>
  );
}

/** Tracks the mention that is being typed and the teammates that match it; without any, `current` is undefined. */
function useMention(area: RefObject<HTMLTextAreaElement | null>, value: string, onChange: (text: string) => void) {
  const { user, users } = useTeam();
  const [draft, setDraft] = useState<MentionDraft>();
  const [chosen, setChosen] = useState(0);
  const people = draft ? suggestionsFor(draft.typed, users, user.id) : [];
  const current = people[Math.min(chosen, people.length - 1)];
  const close = () => setDraft(undefined);

  function update({ value: text, selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const next = selectionStart === selectionEnd ? mentionAtCaret(text, selectionStart) : undefined;
    if (next?.at !== draft?.at || next?.typed !== draft?.typed) setChosen(0);
    setDraft(next);
  }

  function insert(person: User): void {
    if (!draft) return;
    const end = draft.at + 1 + draft.typed.length;
    const written = `${value.slice(0, draft.at)}@${mentionName(person, users)} `;
    // Drawn at once, so that the caret is behind the name before the next key is pressed.
    flushSync(() => {
      onChange(written + value.slice(end).replace(/^ /, ''));
      close();
    });
    area.current?.setSelectionRange(written.length, written.length);
  }

  /** Returns true if the list used the key. */
  function handleKey({ key }: KeyboardEvent): boolean {
    if (!current) return false;
    if (key === 'ArrowDown') setChosen((chosen + 1) % people.length);
    else if (key === 'ArrowUp') setChosen((chosen + people.length - 1) % people.length);
    else if (key === 'Enter' || key === 'Tab') insert(current);
    else if (key === 'Escape') close();
    else return false;
    return true;
  }

  return { people, current, close, update, insert, handleKey };
}

interface SuggestionsProps {
  readonly id: string;
  readonly people: readonly User[];
  readonly current: User;
  readonly onChoose: (person: User) => void;
}

function Suggestions({ id, people, current, onChoose }: SuggestionsProps) {
  const { users } = useTeam();
  return (
    <div id={id} role="listbox" aria-label={t('Teammates')} className={styles['list']}>
      {people.map((person) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={person.id}
          id={`${id}-${person.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={person === current}
          // The focus stays in the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(person)}
        >
          <UserAvatar person={person} size={24} />
          <span>{mentionName(person, users)}</span>
        </div>
      ))}
    </div>
  );
}

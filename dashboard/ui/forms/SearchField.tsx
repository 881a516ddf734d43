import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { TextInput, useDebouncedCallback } from '../theme/mantine.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  /** The current search, if something else can change it too. */
  readonly value?: string;
  readonly onSearch: (text: string) => void;
  /** The debounce delay (ms). */
  readonly settles?: number;
  /** The key that focuses the field. */
  readonly shortcut?: string;
  /** Called on Escape in an empty field. */
  readonly onLeave?: () => void;
  /** Shown at the end of the field while it is empty. */
  readonly hint?: ReactNode;
  /** Takes the focus when it appears. */
  readonly autoFocus?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A search field for a list. Searches once typing pauses. */
export function SearchField({
  label,
  placeholder = label,
  value = '',
  onSearch,
  settles = 0,
  shortcut,
  onLeave,
  hint,
  autoFocus = false,
  ref,
}: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const lastSearch = useRef(value);
  const search = useDebouncedCallback((text: string) => {
    lastSearch.current = text;
    onSearch(text);
  }, settles);
  // The value changed elsewhere, such as by going back.
  useEffect(() => {
    if (value === lastSearch.current) return;
    lastSearch.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      ref={ref}
      type="search"
      autoFocus={autoFocus}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      placeholder={placeholder}
      dir="auto"
      maxLength={100}
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed === '' && hint}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value.trim());
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') search.flush();
        if (key === 'Escape' && currentTarget.value === '') onLeave?.();
      }}
    />
  );
}

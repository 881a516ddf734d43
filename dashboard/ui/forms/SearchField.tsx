import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { TextInput, useDebouncedCallback } from '../theme/mantine.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  /** What is searched for, where something else can change it too. */
  readonly value?: string;
  readonly onSearch: (text: string) => void;
  /** How long the typing has to rest (ms). */
  readonly settles?: number;
  /** The key that focuses the field. */
  readonly shortcut?: string;
  /** Moves the focus on: Escape empties the field, and leaves it where it is empty. */
  readonly onLeave?: () => void;
  /** Stands at the end of the field while it is empty. */
  readonly hint?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Words to look for in a list, as soon as the typing rests. */
export function SearchField({
  label,
  placeholder = label,
  value = '',
  onSearch,
  settles = 0,
  shortcut,
  onLeave,
  hint,
  ref,
}: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const lastSearch = useRef(value);
  const search = useDebouncedCallback((text: string) => {
    lastSearch.current = text;
    onSearch(text);
  }, settles);
  // The value was changed elsewhere: its pill was removed, or the browser went back.
  useEffect(() => {
    if (value === lastSearch.current) return;
    lastSearch.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      ref={ref}
      type="search"
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

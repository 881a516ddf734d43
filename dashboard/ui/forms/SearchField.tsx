import { IconSearch } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { TextInput, useDebouncedCallback } from '../theme/mantine.ts';

/** The attributes that the field passes on. */
type SearchAttributes = Pick<ComponentProps<typeof TextInput>, 'placeholder' | 'autoFocus' | 'aria-keyshortcuts' | 'ref'>;

interface SearchFieldProps extends SearchAttributes {
  readonly label: string;
  /** The current search, if something else can change it too. */
  readonly value?: string;
  readonly onSearch: (text: string) => void;
  /** The debounce delay (ms). */
  readonly settles?: number;
  /** Called on Escape in an empty field. */
  readonly onLeave?: () => void;
  /** Shown at the end of the field while it is empty. */
  readonly hint?: ReactNode;
}

/** A search field for a list. Searches once typing pauses. */
export function SearchField({ label, value = '', onSearch, settles = 0, onLeave, hint, ...attributes }: SearchFieldProps) {
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
      type="search"
      aria-label={label}
      placeholder={label}
      {...attributes}
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

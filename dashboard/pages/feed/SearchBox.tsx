import { IconSearch } from '@tabler/icons-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import { Kbd, TextInput } from '../../ui/mantine.ts';

const SETTLES_AFTER = 300;

interface SearchBoxProps {
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly box: Ref<HTMLInputElement>;
  readonly showsKey: boolean;
}

/** Looks for words in what visitors wrote, as soon as the typing rests. */
export function SearchBox({ text, onSearch, box, showsKey }: SearchBoxProps) {
  const [typed, setTyped] = useState(text);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(text);
  useEffect(() => () => clearTimeout(settling.current), []);
  // The address changed without us: its pill was removed, or the person went back.
  useEffect(() => {
    if (text === asked.current) return;
    asked.current = text;
    setTyped(text);
  }, [text]);

  function type(next: string, wait = SETTLES_AFTER): void {
    setTyped(next);
    clearTimeout(settling.current);
    settling.current = setTimeout(() => {
      asked.current = next.trim();
      onSearch(next.trim());
    }, wait);
  }

  return (
    <TextInput
      ref={box}
      type="search"
      aria-label="Search feedback"
      aria-keyshortcuts="/"
      placeholder={showsKey ? 'Search what visitors wrote' : 'Search'}
      maxLength={100}
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={showsKey && typed === '' ? <Kbd size="xs">/</Kbd> : undefined}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') type(typed, 0);
        if (key === 'Escape') currentTarget.blur();
      }}
    />
  );
}

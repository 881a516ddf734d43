import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { TextInput } from './mantine.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly onSearch: (text: string) => void;
  /** How long the typing has to rest (ms). */
  readonly settles?: number;
}

/** Words to look for in a list. */
export function SearchField({ label, onSearch, settles = 0 }: SearchFieldProps) {
  const [typed, setTyped] = useState('');
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(settling.current), []);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={100}
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        clearTimeout(settling.current);
        settling.current = setTimeout(() => onSearch(value.trim()), settles);
      }}
    />
  );
}

import { useState } from 'react';
import { t } from '../../language.ts';
import type { RequiredInput } from '../layers/ConfirmDialog.tsx';
import { TextInput } from '../theme/mantine.ts';

/** Returns a field to type a name into before confirming. It is cleared while its dialog is closed. */
export function useTypedName(name: string, isOpen: boolean): RequiredInput {
  const [text, setText] = useState('');
  if (!isOpen && text !== '') setText('');
  return {
    fields: (
      <TextInput
        label={t('Type {name} to confirm', { name })}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    ),
    missing: text.trim() === name ? undefined : t('Type {name} to confirm.', { name }),
  };
}

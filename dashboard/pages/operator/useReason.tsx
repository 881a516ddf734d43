import { useState } from 'react';
import { t } from '../../language.ts';
import type { RequiredInput } from '../../ui/layers/ConfirmDialog.tsx';
import { TextInput } from '../../ui/theme/mantine.ts';

/** Returns a field for the reason that an operator gives, and its text. */
export function useReason(): RequiredInput & { readonly reason: string } {
  const [text, setText] = useState('');
  const reason = text.trim();
  return {
    reason,
    fields: (
      <TextInput
        label={t('Reason')}
        description={t('Recorded in the audit log')}
        maxLength={500}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    ),
    missing: reason === '' ? t('Enter a reason.') : undefined,
  };
}

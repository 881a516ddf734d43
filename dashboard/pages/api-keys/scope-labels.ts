import type { KeyScope } from '#contract/core/operation.ts';
import { translatable } from '#contract/language/translate.ts';

export const SCOPE_LABELS = translatable({
  'read-feedback': 'Read feedback',
  'request-feedback': 'Request feedback',
  export: 'Export',
} satisfies Record<KeyScope, string>);

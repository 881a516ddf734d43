import type { KeyScope } from '#contract/core/operation.ts';

export const SCOPE_LABELS: Readonly<Record<KeyScope, string>> = {
  'read-feedback': 'Read feedback',
  'request-feedback': 'Request feedback',
  export: 'Export',
};

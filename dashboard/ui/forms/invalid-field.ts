/** Marks a group of fields, outside a form, that are checked together. */
export const FIELD_GROUP = 'data-checked-together';

/** Focuses the first invalid field, which also scrolls it into view. */
export function focusFirstInvalid(fields: Element | null | undefined): void {
  fields?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

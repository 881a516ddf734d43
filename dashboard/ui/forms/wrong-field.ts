/** Marks a group of fields, outside a form, that are checked together. */
export const CHECKED = 'data-checked-together';

/** Focuses the first invalid field, which also scrolls it into view. */
export function focusFirstWrong(fields: Element | null | undefined): void {
  fields?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

/** Marks fields that are checked together and are no form. */
export const CHECKED = 'data-checked-together';

/** The first field that says what is wrong with it has the focus, and so is in view. */
export function focusFirstWrong(fields: Element | null | undefined): void {
  fields?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

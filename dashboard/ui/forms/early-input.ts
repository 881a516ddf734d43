import { type RefObject, useLayoutEffect, useRef } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * React hydrates fields without noticing what was typed or chosen in them before, or that Enter was pressed. The element with this ref
 * repeats it as events once it is hydrated.
 */
export function useEarlyInput<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const fields = [...(element.current?.querySelectorAll<Field>('input, textarea, select') ?? [])].filter(isChanged);
    // The next rendering resets them.
    const values = fields.map(({ value }) => value);
    // After the commit, so that React flushes each event at once; still before the next paint.
    queueMicrotask(() => {
      for (const [index, field] of fields.entries()) repeat(field, values[index] ?? '');
      if (takeEnter()) element.current?.querySelector<HTMLButtonElement>('form button[type=submit]:enabled')?.click();
    });
  }, []);
  return element;
}

/** Returns whether Enter was pressed in a form before the program ran (index.html), the first time it's called. */
function takeEnter(): boolean {
  const { dataset } = document.documentElement;
  const isEntered = 'entered' in dataset;
  delete dataset['entered'];
  return isEntered;
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const chosen = [...field.options].find(({ defaultSelected }) => defaultSelected);
    // Only a prerendered select has one: React chooses without it.
    return chosen !== undefined && !chosen.selected;
  }
  if (field instanceof HTMLInputElement && field.type === 'radio') return field.checked && !field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** React ignores an event about the value that it saw last. It sees those set on the field, and none set by the prototype. */
function repeat(field: Field, value: string): void {
  if (field instanceof HTMLInputElement && field.type === 'radio') {
    field.checked = false;
    field.click();
    return;
  }
  field.value = '';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
}

/* The sign-in that the document shows before its program runs (docs/decisions/0007-the-first-load.md), and what was done to it. */

export interface DoneAhead {
  readonly email: string;
  readonly password: string;
  /** Among the form's elements, the one that was typed into. */
  readonly focused: number | undefined;
  /** Among the form's elements, the button that was pressed last and waits for what it does. */
  readonly pressed: number | undefined;
}

let held: HTMLFormElement | undefined;
let focused: Element | null = null;

/** Keeps the form in mind that will be replaced; gives whether there is one. */
export function holdAhead(): boolean {
  const form =
    document.documentElement.dataset['start'] === 'sign-in' ? document.querySelector<HTMLFormElement>('#ahead-sign-in form') : null;
  if (!form) return false;
  held = form;
  if (form.contains(document.activeElement)) focused = document.activeElement;
  form.addEventListener('focusin', ({ target }) => {
    focused = target instanceof Element ? target : null;
  });
  // Being replaced takes the focus away, too: that is not a former teammate.
  form.addEventListener('focusout', ({ target }) =>
    queueMicrotask(() => {
      if (form.isConnected && focused === target) focused = null;
    }),
  );
  return true;
}

/** What was done to it until now, once. It is read when it has been replaced, so that no letter is lost between. */
export function takeAhead(): DoneAhead | undefined {
  const form = held;
  held = undefined;
  if (!form) return undefined;
  delete document.documentElement.dataset['start'];
  const typedInto = (name: string): string => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '';
  const index = focused === null ? -1 : [...form.elements].indexOf(focused);
  const { pressed } = form.dataset;
  return {
    email: typedInto('username').toLowerCase(),
    password: typedInto('password'),
    focused: index === -1 ? undefined : index,
    pressed: pressed === undefined ? undefined : Number(pressed),
  };
}

let isPressed = false;
// Nothing is pressed where the build draws.
if (globalThis.document) {
  addEventListener('pointerdown', () => set(true), true);
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => set(false), true);
}

function set(pressed: boolean): void {
  isPressed = pressed;
}

/** Does something at once, or after the click that a pressed pointer makes: what the press began on has to be there when it ends. */
export function afterPress(work: () => void): void {
  // The click comes in the same turn as the release.
  if (isPressed) addEventListener('pointerup', () => setTimeout(work), { once: true });
  else work();
}

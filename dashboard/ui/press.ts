let isPressed = false;
// There is no document while the build renders.
if (globalThis.document) {
  addEventListener('pointerdown', () => set(true), true);
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => set(false), true);
}

function set(pressed: boolean): void {
  isPressed = pressed;
}

/** Runs at once, or after the click if a pointer is pressed, because the pressed element must not move before the release. */
export function afterPress(work: () => void): void {
  // The click fires in the same turn as the release.
  if (isPressed) addEventListener('pointerup', () => setTimeout(work), { once: true });
  else work();
}

interface LeftHintProps {
  /** The field's name. */
  readonly name: string;
  readonly left: readonly string[];
  readonly text: string;
}

/** A note that a field was filled in before. The content isn't shown again (docs/rules.md#what-was-left). */
export function LeftHint({ name, left, text }: LeftHintProps) {
  return left.includes(name) ? (
    <p id={`${name}-left`} className="hint">
      {text}
    </p>
  ) : null;
}

/** Returns a field's `aria-describedby`. */
export const describedBy = (name: string, { left, error }: { left: readonly string[]; error: string | undefined }): string | undefined =>
  [...(left.includes(name) ? [`${name}-left`] : []), ...(error ? [`${name}-error`] : [])].join(' ') || undefined;

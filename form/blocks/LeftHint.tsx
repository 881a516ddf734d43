interface LeftHintProps {
  /** The field's name. */
  readonly name: string;
  readonly left: readonly string[];
  /** The field's content, with an article: "a comment". */
  readonly what: string;
}

/** A note that a field was filled in before. The content isn't shown again (docs/rules.md#what-was-left). */
export function LeftHint({ name, left, what }: LeftHintProps) {
  return left.includes(name) ? (
    <p id={`${name}-left`} className="hint">
      {`You left ${what}. Write here to replace it.`}
    </p>
  ) : null;
}

/** Returns a field's `aria-describedby`. */
export const describedBy = (name: string, { left, error }: { left: readonly string[]; error: string | undefined }): string | undefined =>
  [...(left.includes(name) ? [`${name}-left`] : []), ...(error ? [`${name}-error`] : [])].join(' ') || undefined;

import { type FormEvent, useState } from 'react';
import type { KioskState, Tablet } from './tablet.ts';

interface PairingProps {
  readonly tablet: Tablet;
  readonly state: KioskState;
}

/** The form that pairs the tablet with a kiosk. */
export function Pairing({ tablet, state: { status, waiting } }: PairingProps) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  async function pair(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const code = String(new FormData(event.currentTarget).get('code') ?? '');
    setBusy(true);
    setError(await tablet.pair(code));
    setBusy(false);
  }
  if (!isSecureContext) return <p className="message">A kiosk needs an address that starts with https. Open this page by that address.</p>;
  return (
    <main className="screen pairing">
      <h1>{status === 'ended' ? 'This tablet is no longer paired' : 'Pair this tablet'}</h1>
      {waiting > 0 && <p>{answers(waiting)} wait here. Pair it with the same kiosk again to deliver them.</p>}
      <p>In Afterword, open a property’s settings, then Share, and choose “Pair a tablet” at a kiosk. Type the code here.</p>
      <form onSubmit={(event) => void pair(event)} noValidate>
        <label htmlFor="code">Code</label>
        <input
          id="code"
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="ABCD-2345"
          aria-invalid={error ? true : undefined}
          aria-describedby="code-error"
        />
        <p id="code-error" className="error" role="alert">
          {error}
        </p>
        <button type="submit" className="button" aria-disabled={isBusy || undefined}>
          {isBusy ? 'Pairing…' : 'Pair this tablet'}
        </button>
      </form>
    </main>
  );
}

/** Returns a number of answers in words. */
export const answers = (count: number): string => (count === 1 ? '1 answer' : `${count.toLocaleString('en')} answers`);

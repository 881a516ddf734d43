import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { KioskContent } from '#contract/kiosk/kiosk.ts';
import { useIdle } from './idle.ts';
import { answers } from './Pairing.tsx';
import type { KioskState, Tablet } from './tablet.ts';

interface StaffProps {
  readonly tablet: Tablet;
  readonly state: KioskState;
  readonly content: KioskContent;
  readonly version: string;
}

/** Time without a touch until the staff's screen closes (ms). */
const CLOSES_AFTER = 60_000;

/** The staff's button. Behind the PIN: what waits, whether there is a connection, full screen, and leaving the kiosk. */
export function Staff(props: StaffProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isAdmitted, setAdmitted] = useState(false);
  // Outside the form, so that closing it doesn't end the pause.
  const attempts = useRef<WrongAttempts>({ count: 0, until: 0 });
  function close(): void {
    setOpen(false);
    setAdmitted(false);
  }
  function open(): void {
    setOpen(true);
    dialog.current?.showModal();
  }
  return (
    <>
      <button type="button" lang="en" className="staff" onClick={open}>
        Staff
      </button>
      <dialog ref={dialog} lang="en" dir="ltr" aria-label="Staff" onClose={close}>
        {isOpen && (
          <>
            {isAdmitted ? <Facts {...props} /> : <Pin content={props.content} attempts={attempts} onAdmitted={() => setAdmitted(true)} />}
            <button type="button" onClick={() => dialog.current?.close()}>
              Back to the kiosk
            </button>
            <CloseWhenIdle onIdle={() => dialog.current?.close()} />
          </>
        )}
      </dialog>
    </>
  );
}

function CloseWhenIdle({ onIdle }: { readonly onIdle: () => void }) {
  useIdle(CLOSES_AFTER, onIdle);
  return null;
}

/** Wrong PINs in a row before a pause, and its length (ms). */
const [MOST_WRONG, PAUSE] = [5, 30_000];

interface WrongAttempts {
  readonly count: number;
  /** The end of the pause (UTC ms). */
  readonly until: number;
}

interface PinProps {
  readonly content: KioskContent;
  readonly attempts: RefObject<WrongAttempts>;
  readonly onAdmitted: () => void;
}

function Pin({ content, attempts, onAdmitted }: PinProps) {
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  async function check(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const pin = String(new FormData(form).get('pin') ?? '');
    if (Date.now() < attempts.current.until) return setError('Too many attempts. Wait half a minute.');
    if ((await hashOf(`${content.kioskId} ${pin}`)) === content.pinHash) {
      attempts.current = { count: 0, until: 0 };
      return onAdmitted();
    }
    const count = attempts.current.count + 1;
    attempts.current = count < MOST_WRONG ? { count, until: 0 } : { count: 0, until: Date.now() + PAUSE };
    setError('This PIN is wrong.');
    form.reset();
  }
  return (
    <form onSubmit={(event) => void check(event)} noValidate>
      <h2>Staff</h2>
      <label htmlFor="pin">PIN</label>
      <input
        ref={field}
        id="pin"
        name="pin"
        type="password"
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby="pin-error"
      />
      <p id="pin-error" className="error" role="alert">
        {error}
      </p>
      <button type="submit" className="button">
        Open
      </button>
    </form>
  );
}

async function hashOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function Facts({ tablet, state, content, version }: StaffProps) {
  const [isLeaving, setLeaving] = useState(false);
  const { waiting, refused, isConnected, reached } = state;
  return (
    <>
      <h2>
        {content.name}, {content.place}
      </h2>
      <dl>
        <dt>Answers</dt>
        <dd>{waiting === 0 ? 'All delivered' : `${answers(waiting)} waiting`}</dd>
        {refused > 0 && <dt>Refused</dt>}
        {refused > 0 && <dd>{answers(refused)} to a form that no longer exists</dd>}
        <dt>Connection</dt>
        <dd>{isConnected ? 'Connected' : `None${reached === undefined ? '' : ` since ${timeOf(reached)}`}`}</dd>
        <dt>Version</dt>
        <dd>{version}</dd>
      </dl>
      <div className="actions">
        <button type="button" onClick={() => void tablet.sync()}>
          Deliver now
        </button>
        {document.fullscreenEnabled && (
          <button type="button" onClick={() => void toggleFullScreen()}>
            Full screen
          </button>
        )}
        <button type="button" className="danger" onClick={() => setLeaving(true)}>
          Leave kiosk
        </button>
      </div>
      {isLeaving && (
        <div role="alert">
          <p>
            {waiting === 0
              ? 'This tablet shows the pairing screen afterwards. To use it as a kiosk again, pair it with a new code.'
              : `${answers(waiting)} haven’t been delivered and will be deleted. Connect the tablet first to keep them.`}
          </p>
          <button type="button" className="danger" onClick={() => void tablet.leave()}>
            {waiting === 0 ? 'Leave' : `Leave and delete ${answers(waiting)}`}
          </button>
        </div>
      )}
    </>
  );
}

async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen();
}

const timeOf = (at: number): string => new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' }).format(at);

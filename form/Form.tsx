import { useEffect, useRef, useState } from 'react';
import type { Response } from '#contract/feedback.ts';
import type { Block } from '#contract/form.ts';
import type { FormProps } from '#contract/form-page.ts';
import { answersPath, type Draft, donePath, draftsOf, fieldOfPath, problemsOf } from '#contract/form-page.ts';
import type { Rating } from '#contract/rating.ts';
import { stepOf } from '#contract/steps.ts';
import { Done } from './Done.tsx';
import { Experience } from './Experience.tsx';
import { mergeDrafts } from './outbox.ts';
import { createSender, type Outcome, type Sender } from './send.ts';

/** Arrow keys pass by faces on their way; the save waits until they rest. A tap is saved at once. */
const SETTLE = 600;
const NOTICES = {
  kept: 'You seem to be offline. Your feedback is kept on this device and will be sent as soon as possible.',
  held: 'Not sent yet. Please keep this page open: we keep trying.',
  delivered: 'Your feedback has arrived.',
} as const;

const isWaiting = (notice: string | undefined): boolean => notice === NOTICES.kept || notice === NOTICES.held;

/** The visitor's form. Renders the same on the server and in the browser, where it takes the native form over. */
export function Form(props: FormProps) {
  const [screen, setScreen] = useState(props.screen);
  // The server was asked for responses of its own contract; drafts of the browser have the same shape.
  const [given, setGiven] = useState(props.given);
  const [errors, setErrors] = useState(props.errors);
  const [notice, setNotice] = useState(props.notice);
  const [isSaved, setSaved] = useState(false);
  const [busy, setBusy] = useState(false);
  const sender = useRef<Sender>(undefined);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const main = useRef<HTMLElement>(null);
  const unsent = useRef(false);
  const blocks = stepOf(props.steps, 'experience').blocks ?? [];

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is of one submission as long as it lives
  useEffect(() => {
    const opened = createSender({
      formId: props.formId,
      key: props.submissionKey,
      diagnostics: { screen: { width: globalThis.screen.width, height: globalThis.screen.height } },
      storage: storageOf(),
      onSettled: settle,
    });
    sender.current = opened;
    takeOver(opened);
    return () => opened.stop();
  }, []);

  /** A face may have been chosen before this script arrived. */
  function takeOver(opened: Sender): void {
    document.documentElement.dataset['live'] = '';
    const form = main.current?.querySelector('form');
    const gauge = blocks.find(({ blockType }) => blockType === 'EmojiGauge');
    const chosen = form && gauge ? draftsOf([gauge], readerOf(form)) : [];
    if (chosen.some(({ uuid, response }) => response !== props.given.find((one) => one.uuid === uuid)?.response)) void save(chosen);
    opened.sendEarlier();
  }

  /** What was kept or held back has an answer at last. */
  function settle(outcome: Outcome): void {
    setNotice((now) => (isWaiting(now) ? (outcome.kind === 'refused' ? outcome.message : NOTICES.delivered) : now));
    if (outcome.kind === 'accepted' && unsent.current) setScreen('done');
    unsent.current = false;
  }

  async function save(drafts: readonly Draft[]): Promise<Outcome | undefined> {
    remember(drafts);
    const outcome = await sender.current?.send(drafts);
    if (outcome?.kind === 'accepted') {
      setSaved(true);
      history.replaceState(null, '', answersPath(props.formId, props.submissionKey));
    }
    setNotice(outcome?.kind === 'kept' || outcome?.kind === 'held' ? NOTICES[outcome.kind] : undefined);
    return outcome;
  }

  function remember(drafts: readonly Draft[]): void {
    // Drafts are what the server takes as responses once it has checked them.
    setGiven((before) => mergeDrafts(before, drafts) as Response[]);
  }

  function rate(_form: HTMLFormElement, block: Block, rating: Rating, settled: boolean): void {
    setErrors(({ [block.uuid]: _fixed, ...rest }) => rest);
    clearTimeout(settling.current);
    const drafts = [{ uuid: block.uuid, block: block.blockType, response: rating }];
    settling.current = setTimeout(() => void save(drafts), settled ? 0 : SETTLE);
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    clearTimeout(settling.current);
    const drafts = draftsOf(blocks, readerOf(form));
    const wrong = problemsOf(blocks, drafts);
    if (Object.keys(wrong).length > 0) return show(form, wrong);
    setBusy(true);
    const outcome = await save(drafts);
    setBusy(false);
    if (outcome?.kind === 'refused') return refuse(form, outcome);
    setErrors({});
    // Neither accepted nor kept: no thanks yet.
    unsent.current = outcome?.kind === 'held';
    if (unsent.current) return;
    setScreen('done');
    if (outcome?.kind === 'accepted') history.replaceState(null, '', donePath(props.formId, props.submissionKey));
    focusHeading();
  }

  function refuse(form: HTMLFormElement, { message, errors: problems, drafts }: Extract<Outcome, { kind: 'refused' }>): void {
    const fields = problems.flatMap(({ path, message: text }) => {
      const field = fieldOfPath(path, drafts);
      return field ? [[field, text] as const] : [];
    });
    setNotice(fields.length > 0 ? undefined : message);
    show(form, Object.fromEntries(fields));
  }

  function show(form: HTMLFormElement, wrong: Readonly<Record<string, string>>): void {
    setErrors(wrong);
    const [first] = Object.keys(wrong);
    const field = first === undefined ? null : form.elements.namedItem(first);
    const element = field instanceof RadioNodeList ? field[0] : field;
    if (element instanceof HTMLElement) element.focus();
  }

  function change(): void {
    setScreen('experience');
    history.replaceState(null, '', answersPath(props.formId, props.submissionKey));
    focusHeading();
  }

  function focusHeading(): void {
    requestAnimationFrame(() => main.current?.querySelector('h1')?.focus());
  }

  const shown = { ...props, screen, given, errors, notice };
  return (
    <main className="card" ref={main}>
      <p className="place">{props.place}</p>
      <p className="notice" role="status">
        {notice}
      </p>
      {screen === 'done' ? (
        <Done {...shown} onChange={change} />
      ) : (
        <Experience {...shown} isSaved={isSaved} busy={busy} onRate={rate} onSubmit={(form) => void submit(form)} />
      )}
    </main>
  );
}

function readerOf(form: HTMLFormElement): (name: string) => string | undefined {
  const data = new FormData(form);
  return (name) => data.get(name)?.toString();
}

/** Reading the property alone throws where storage is forbidden. */
function storageOf(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

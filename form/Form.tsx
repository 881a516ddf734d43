import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Block } from '#contract/form.ts';
import type { FormProps } from '#contract/form-page.ts';
import { type Draft, draftsOf, problemsOf } from '#contract/form-page.ts';
import type { Rating } from '#contract/rating.ts';
import type { ReviewService } from '#contract/review.ts';
import { gaugeOf, stepOf } from '#contract/steps.ts';
import { Done } from './Done.tsx';
import { Experience } from './Experience.tsx';
import { createSender, type SendOutcome, type SubmissionSender } from './send.ts';
import { errorsOf, type FormState, rated, resumed, sending, sent, settled, submitted, visitOf } from './state.ts';
import { type RememberedVisit, remember, rememberedVisit } from './visit.ts';

/** Arrow keys pass by faces on their way; the save waits until they rest (ms). A tap is saved at once. */
const SETTLE = 600;
/** A pause in typing (ms) after which the device remembers what was typed. */
const PAUSE = 300;

/** The visitor's form. Renders the same on the server and in the browser, where it takes the native form over. */
export function Form(props: FormProps) {
  const [state, setState] = useState<FormState>(props);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pausing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const main = useRef<HTMLElement>(null);
  const blocks = stepOf(props.steps, 'experience').blocks ?? [];
  const sender = useSender(props, {
    onReady(visit) {
      setState(resumed(visit, typed().filter(isWords)));
      const chosen = chosenBefore(main.current, props);
      if (chosen.length > 0) void save(chosen);
    },
    onSettled: (outcome) => setState(settled(outcome)),
  });

  useEffect(() => {
    if (!state.isLive) return;
    keep();
    addEventListener('pagehide', leave);
    return () => {
      clearTimeout(pausing.current);
      removeEventListener('pagehide', leave);
    };
  });

  /** The fields as they stand, where the form is shown. */
  function typed(form = main.current?.querySelector('form')): Draft[] {
    return form ? draftsOf(blocks, readerOf(form), state.left) : [];
  }

  function keep(): void {
    remember(visitOf(state, typed()));
  }

  function pause(): void {
    clearTimeout(pausing.current);
    pausing.current = setTimeout(keep, PAUSE);
  }

  /** Whoever rated, wrote and leaves without a last tap has written all the same. */
  function leave(): void {
    keep();
    const words = typed().filter(isWords);
    if (state.isSaved && words.length > 0) void sender.current?.send(words);
  }

  async function save(drafts: readonly Draft[]): Promise<SendOutcome> {
    setState(sending(drafts));
    const outcome = (await sender.current?.send(drafts)) ?? { kind: 'held' };
    setState(sent(outcome));
    return outcome;
  }

  function rate(_form: HTMLFormElement, { uuid, blockType }: Block, rating: Rating, isSettled: boolean): void {
    setState(rated(uuid));
    clearTimeout(settling.current);
    settling.current = setTimeout(() => void save([{ uuid, block: blockType, response: rating }]), isSettled ? 0 : SETTLE);
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    clearTimeout(settling.current);
    const drafts = typed(form);
    const errors = problemsOf(blocks, drafts, state.left);
    if (Object.keys(errors).length > 0) {
      setState((before) => ({ ...before, errors }));
      return focusFirst(form, errors);
    }
    setState((before) => ({ ...before, isBusy: true }));
    const outcome = await save(drafts);
    setState(submitted(outcome));
    if (outcome.kind === 'refused') return focusFirst(form, errorsOf(outcome));
    if (outcome.kind === 'held') return;
    focusHeading(main.current);
  }

  function change(): void {
    setState((before) => ({ ...before, screen: 'experience' }));
    focusHeading(main.current);
  }

  function review({ uuid, blockType }: Block, service: ReviewService): void {
    void sender.current?.send([{ uuid, block: blockType, response: { service } }]);
  }

  const { screen, isBusy = false, isSaved = false, isLive = false, isResumed, isHeld: _isHeld, ...shown } = { ...props, ...state };
  return (
    <main className="card" ref={main}>
      <p className="place">{props.place}</p>
      <p className="notice" role="status">
        {state.notice}
      </p>
      {screen === 'done' ? (
        <Done {...shown} screen={screen} isLive={isLive} onChange={change} onReview={review} />
      ) : (
        <Experience
          // Fields that show something else are other fields: what they start with is read once.
          key={isResumed ? 'resumed' : 'opened'}
          {...shown}
          screen={screen}
          isSaved={isSaved}
          busy={isBusy}
          onRate={rate}
          onSubmit={(form) => void submit(form)}
          onTyped={pause}
        />
      )}
    </main>
  );
}

interface SenderEvents {
  /** Called once the page has hydrated, with what this device remembers; a face that was chosen before is sent then. */
  readonly onReady: (visit: RememberedVisit) => void;
  readonly onSettled: (outcome: SendOutcome) => void;
}

/** Sends answers for as long as the page lives, also those that earlier visits left on this device. */
function useSender({ formId, submissionKey }: FormProps, { onReady, onSettled }: SenderEvents): RefObject<SubmissionSender | undefined> {
  const sender = useRef<SubmissionSender>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is of one submission as long as it lives
  useEffect(() => {
    const { width, height } = globalThis.screen;
    const visit = rememberedVisit() ?? { key: submissionKey };
    const opened = createSender({ formId, key: visit.key, diagnostics: { screen: { width, height } }, storage: storageOf(), onSettled });
    sender.current = opened;
    document.documentElement.dataset['live'] = '';
    onReady(visit);
    opened.sendEarlier();
    return () => opened.stop();
  }, []);
  return sender;
}

const isWords = ({ block, response }: Draft): boolean => block === 'OpenText' && response !== '';

/** A face that was chosen before this script arrived. */
function chosenBefore(main: HTMLElement | null, { steps, given }: FormProps): Draft[] {
  const form = main?.querySelector('form');
  const gauge = gaugeOf(steps);
  const chosen = form ? draftsOf([gauge], readerOf(form), []) : [];
  return chosen.filter(({ uuid, response }) => response !== given.find((one) => one.uuid === uuid)?.response);
}

function focusFirst(form: HTMLFormElement, errors: Readonly<Record<string, string>>): void {
  const [first] = Object.keys(errors);
  const field = first === undefined ? null : form.elements.namedItem(first);
  const element = field instanceof RadioNodeList ? field[0] : field;
  if (element instanceof HTMLElement) element.focus();
}

/** Focuses the heading of the screen that is drawn next. */
function focusHeading(main: HTMLElement | null): void {
  requestAnimationFrame(() => main?.querySelector('h1')?.focus());
}

function readerOf(form: HTMLFormElement): (name: string) => string | undefined {
  const data = new FormData(form);
  return (name) => data.get(name)?.toString();
}

/** The browser's local storage; undefined where it is forbidden, as reading the property throws there. */
function storageOf(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

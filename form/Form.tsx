import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Rating } from '#contract/feedback/rating.ts';
import type { Block } from '#contract/form/form.ts';
import type { FormProps } from '#contract/form/form-page.ts';
import {
  type Draft,
  draftsOf,
  formPath,
  isRating,
  LANGUAGE_FIELD,
  leftFieldsAfter,
  originOf,
  problemsOf,
  validDrafts,
} from '#contract/form/form-page.ts';
import type { ReviewService } from '#contract/form/review.ts';
import { gaugeOf, stepOf } from '#contract/form/steps.ts';
import { Done } from './Done.tsx';
import { Experience } from './Experience.tsx';
import { Languages } from './Languages.tsx';
import { newKey } from './new-key.ts';
import { registerWorker } from './offline/register.ts';
import { Place } from './Place.tsx';
import { createSender, type SendOutcome, type SentVisit, type SubmissionSender } from './send.ts';
import {
  changing,
  cleared,
  earlierArrived,
  errorsOf,
  type FormState,
  fieldsChanged,
  initialState,
  lineOf,
  rated,
  renewed,
  restarted,
  resumed,
  sending,
  sent,
  settled,
  submitted,
  unsentOf,
  visitOf,
  withCleared,
} from './state.ts';
import { isOver, type RememberedVisit, remember, rememberedVisit } from './visit.ts';

/** Arrow keys pass over faces, so a save waits until they rest (ms). A tap is saved immediately. */
const SETTLE = 600;
/** A pause in typing (ms) after which the text is remembered. */
const PAUSE = 300;

/** The visitor's form. Renders the same on the server and in the browser, where it replaces the native form. */
export function Form(props: FormProps) {
  const main = useRef<HTMLElement>(null);
  const visit = useVisit(props, main);
  const { state } = visit;
  const type = useUnsent(visit);
  const { screen, isBusy = false, isLive = false, isResumed, submissionKey } = state;
  const { given, left, errors, standing, notice } = state;
  const shown = { ...props, given, left, errors, screen, submissionKey };
  return (
    <main className="card" ref={main}>
      <p className="place" key={screen}>
        <Place {...props} />
      </p>
      <Languages {...props} />
      {props.test && <p className="test">{props.words.test}</p>}
      {screen === 'done' ? (
        <Done {...shown} left={leftFieldsAfter(left, given)} {...{ standing, notice, isLive }} {...doneActions(visit, props.formId)} />
      ) : (
        <Experience
          // Default values are read only once, so resumed fields need a new key.
          key={isResumed ? 'resumed' : 'opened'}
          {...shown}
          line={lineOf(state)}
          isStarted={standing !== undefined}
          busy={isBusy}
          onTyped={type}
          {...answerActions(visit)}
        />
      )}
    </main>
  );
}

type OpenVisit = ReturnType<typeof useVisit>;

/** Returns the visit's state, with functions that read and send its answers. */
function useVisit(props: FormProps, main: RefObject<HTMLElement | null>) {
  const [state, setState] = useState<FormState>(() => initialState(props));
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const blocks = stepOf(props.steps, 'experience').blocks ?? [];
  const sender = useSender(props, {
    onReady(visit) {
      setState(resumed(visit, currentDrafts().filter(isWords)));
      const chosen = chosenBefore(main.current, props.steps, visit.sent ?? props.given);
      if (chosen.length > 0) void save(visit, chosen);
    },
    onSettled(outcome) {
      setState(settled(outcome));
      if (outcome.kind === 'accepted') registerWorker();
    },
    onEarlier: () => setState(earlierArrived),
    onRenewed: (key, newSubmissionKey) => setState(renewed(key, newSubmissionKey)),
  });
  return { state, setState, settling, blocks, sender, main, currentDrafts, currentVisit, save };

  /** Returns the fields' current content, if the form is shown. */
  function currentDrafts(form = main.current?.querySelector('form')): Draft[] {
    return form ? withCleared(draftsOf(blocks, readerOf(form), state.left), state.sent) : [];
  }

  /** Returns the current visit, or a new one if its hour is over. */
  function currentVisit(): SentVisit {
    const { submissionKey, userId, since } = state;
    const origin = originOf(state);
    if (!isOver(since)) return { key: submissionKey, userId, ...origin };
    const key = newKey();
    setState(restarted(key));
    return { key, userId, ...origin };
  }

  async function save(visit: SentVisit, drafts: readonly Draft[]): Promise<SendOutcome> {
    setState(sending(drafts));
    const outcome = (await sender.current?.send(visit, drafts)) ?? { kind: 'held' };
    setState(sent(outcome, drafts));
    return outcome;
  }
}

/** Remembers unsent answers, and sends them when the page is hidden. Returns a handler for typing. */
function useUnsent({ state, setState, settling, blocks, sender, currentDrafts, currentVisit, save }: OpenVisit): () => void {
  const pausing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!state.isLive) return;
    rememberVisit();
    checkUnsent();
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
    return () => {
      clearTimeout(pausing.current);
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', leave);
    };
  });
  return () => {
    checkUnsent();
    clearTimeout(pausing.current);
    pausing.current = setTimeout(rememberVisit, PAUSE);
  };

  function rememberVisit(): void {
    remember(visitOf(state, currentDrafts()));
  }

  /** Updates `hasUnsent`. */
  function checkUnsent(): void {
    const fields = currentDrafts();
    setState(fieldsChanged(fields));
  }

  function leave(event: Event): void {
    if (event.type !== 'pagehide' && document.visibilityState !== 'hidden') return;
    rememberVisit();
    const fields = currentDrafts();
    const rating = fields.filter(isRating);
    const words = validDrafts(fields.filter(isWords), problemsOf(blocks, fields, state));
    const isResting = settling.current === undefined;
    if (rating.length > 0 && (!isResting || unsentOf(words, state.sent).length > 0)) {
      clearTimeout(settling.current);
      settling.current = undefined;
      void save(currentVisit(), [...rating, ...words]);
    }
    sender.current?.flush();
    registerWorker();
  }
}

/** Returns the handlers of the questions. */
function answerActions({ state, setState, settling, blocks, main, currentDrafts, currentVisit, save }: OpenVisit) {
  return { onRate, onSubmit: (form: HTMLFormElement) => void submit(form) };

  function onRate({ uuid, blockType }: Block, rating: Rating, isSettled: boolean): void {
    setState(rated(uuid));
    clearTimeout(settling.current);
    const visit = currentVisit();
    const send = (): void => {
      settling.current = undefined;
      void save(visit, [{ uuid, block: blockType, response: rating }]);
    };
    // Immediately, because the page may close right after the tap.
    if (isSettled) send();
    else settling.current = setTimeout(send, SETTLE);
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    clearTimeout(settling.current);
    settling.current = undefined;
    const drafts = currentDrafts(form);
    const errors = problemsOf(blocks, drafts, state);
    if (Object.keys(errors).length > 0) {
      setState((before) => ({ ...before, errors }));
      // Send the text even if the phone number is invalid.
      const valid = validDrafts(drafts, errors);
      if (valid.some(isRating)) void save(currentVisit(), valid);
      return focusFirst(form, errors);
    }
    setState((before) => ({ ...before, isBusy: true }));
    const outcome = await save(currentVisit(), drafts);
    // Another face has been sent already.
    const isEdited = unsentOf(currentDrafts(form), drafts).some((draft) => !isRating(draft));
    setState(submitted(outcome, isEdited));
    if (outcome.kind === 'refused') return focusFirst(form, errorsOf(outcome, state.words));
    if (outcome.kind !== 'held' && !isEdited) focusHeading(main.current);
  }
}

/** Returns the handlers of the last screen. */
function doneActions({ state, setState, sender, main }: OpenVisit, formId: string) {
  return {
    onChange(): void {
      // Visitors may share a device that offers *Next visitor*.
      setState(changing(Boolean(main.current?.querySelector<HTMLElement>('.next')?.offsetParent)));
      focusHeading(main.current);
    },
    /** Starts the next visitor's visit in the same history entry, so that going back doesn't show the previous one. */
    onNext(): void {
      const key = newKey();
      const { at, test } = state;
      const hasChosenLanguage = new URLSearchParams(location.search).has(LANGUAGE_FIELD);
      remember({ key, at, test }, formPath(formId, { at, test }));
      // The next visitor starts in the device's language.
      if (hasChosenLanguage && navigator.onLine) location.reload();
      else {
        setState(cleared(key));
        scrollTo(0, 0);
        focusHeading(main.current);
      }
    },
    onReview({ uuid, blockType }: Block, service: ReviewService): void {
      void sender.current?.send({ key: state.submissionKey }, [{ uuid, block: blockType, response: { service } }]);
    },
  };
}

interface SenderEvents {
  /** Called once the page has hydrated, with the remembered visit. Sends a face that was chosen before. */
  readonly onReady: (visit: RememberedVisit) => void;
  readonly onSettled: (outcome: SendOutcome) => void;
  readonly onEarlier: () => void;
  readonly onRenewed: (key: string, newSubmissionKey: string) => void;
}

/** Sends answers while the page is open, including those that earlier visits left on this device. */
function useSender(
  { formId, version, language, submissionKey, test }: FormProps,
  { onReady, ...events }: SenderEvents,
): RefObject<SubmissionSender | undefined> {
  const sender = useRef<SubmissionSender>(undefined);
  // React renders the visit before it handles the next tap, so that the tap has the placement.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page has the same submission until it closes
  useLayoutEffect(() => {
    const { width, height } = globalThis.screen;
    const visit = rememberedVisit() ?? { key: submissionKey, test };
    const opened = createSender({
      formId,
      formVersion: version,
      language,
      key: visit.key,
      diagnostics: { screen: { width, height } },
      // Without query and fragment, so that the team sees only which page it was.
      url: location.origin + location.pathname,
      storage: storageOf(),
      makeKey: newKey,
      ...events,
    });
    sender.current = opened;
    document.documentElement.dataset['live'] = '';
    onReady(visit);
    opened.sendEarlier();
    return () => opened.stop();
  }, []);
  return sender;
}

const isWords = ({ block, response }: Draft): boolean => block === 'OpenText' && response !== '';

/** Returns a face that was chosen before this script loaded, if it wasn't sent. */
function chosenBefore(main: HTMLElement | null, steps: FormProps['steps'], alreadySent: readonly Draft[]): Draft[] {
  const form = main?.querySelector('form');
  const gauge = gaugeOf(steps);
  const chosen = form ? draftsOf([gauge], readerOf(form), []) : [];
  return chosen.filter(({ uuid, response }) => response !== alreadySent.find((draft) => draft.uuid === uuid)?.response);
}

function focusFirst(form: HTMLFormElement, errors: Readonly<Record<string, string>>): void {
  const [first] = Object.keys(errors);
  const field = first === undefined ? null : form.elements.namedItem(first);
  const element = field instanceof RadioNodeList ? field[0] : field;
  if (element instanceof HTMLElement) element.focus();
}

/** Focuses the heading of the next screen. */
function focusHeading(main: HTMLElement | null): void {
  requestAnimationFrame(() => main?.querySelector('h1')?.focus());
}

function readerOf(form: HTMLFormElement): (name: string) => string | undefined {
  const data = new FormData(form);
  return (name) => data.get(name)?.toString();
}

/** Returns the browser's local storage, or undefined where it is forbidden and reading it throws. */
function storageOf(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Rating } from '#contract/feedback/rating.ts';
import type { Block } from '#contract/form/form.ts';
import type { FormProps } from '#contract/form/form-page.ts';
import { type Draft, draftsOf, formPath, isRating, originOf, problemsOf, validDrafts } from '#contract/form/form-page.ts';
import type { ReviewService } from '#contract/form/review.ts';
import { gaugeOf, stepOf } from '#contract/form/steps.ts';
import { Done } from './Done.tsx';
import { Experience } from './Experience.tsx';
import { Place } from './Place.tsx';
import { createSender, type SendOutcome, type SentVisit, type SubmissionSender } from './send.ts';
import {
  anew,
  begun,
  earlierArrived,
  emptied,
  errorsOf,
  type FormState,
  lineOf,
  rated,
  renewed,
  resumed,
  sending,
  sent,
  settled,
  submitted,
  typedOver,
  unsentOf,
  visitOf,
} from './state.ts';
import { isOver, newKey, type RememberedVisit, remember, rememberedVisit } from './visit.ts';

/** Arrow keys pass by faces on their way; the save waits until they rest (ms). A tap is saved at once. */
const SETTLE = 600;
/** A pause in typing (ms) after which the device remembers what was typed. */
const PAUSE = 300;

/** The visitor's form. Renders the same on the server and in the browser, where it takes the native form over. */
export function Form(props: FormProps) {
  const [state, setState] = useState<FormState>(() => begun(props));
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pausing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const main = useRef<HTMLElement>(null);
  const blocks = stepOf(props.steps, 'experience').blocks ?? [];
  const sender = useSender(props, {
    onReady(visit) {
      setState(resumed(visit, typed().filter(isWords)));
      const chosen = chosenBefore(main.current, props.steps, visit.sent ?? props.given);
      if (chosen.length > 0) void save(visit, chosen);
    },
    onSettled: (outcome) => setState(settled(outcome)),
    onEarlier: () => setState(earlierArrived),
    onRenewed: (key, another) => setState(renewed(key, another)),
  });

  useEffect(() => {
    if (!state.isLive) return;
    keep();
    look();
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
    return () => {
      clearTimeout(pausing.current);
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', leave);
    };
  });

  /** The fields as they stand, where the form is shown. */
  function typed(form = main.current?.querySelector('form')): Draft[] {
    return form ? draftsOf(blocks, readerOf(form), state.left) : [];
  }

  function keep(): void {
    remember(visitOf(state, typed()));
  }

  /** Says whether something stands in the fields that was not sent. */
  function look(): void {
    const fields = typed();
    setState(typedOver(fields));
  }

  function type(): void {
    look();
    clearTimeout(pausing.current);
    pausing.current = setTimeout(keep, PAUSE);
  }

  /** Sends unsent text when the page is hidden. */
  function leave(event: Event): void {
    if (event.type !== 'pagehide' && document.visibilityState !== 'hidden') return;
    keep();
    const fields = typed();
    const rating = fields.filter(isRating);
    const words = validDrafts(fields.filter(isWords), problemsOf(blocks, fields, state.left));
    const isResting = settling.current === undefined;
    if (rating.length > 0 && (!isResting || unsentOf(words, state.sent).length > 0)) {
      clearTimeout(settling.current);
      settling.current = undefined;
      void save(visitNow(), [...rating, ...words]);
    }
    sender.current?.flush();
  }

  /** The visit that is given to now: another one where the hour of the one before is over. */
  function visitNow(): SentVisit {
    const { submissionKey, userId, since } = state;
    const origin = originOf(state);
    if (!isOver(since)) return { key: submissionKey, userId, ...origin };
    const key = newKey();
    setState(anew(key));
    return { key, userId, ...origin };
  }

  async function save(visit: SentVisit, drafts: readonly Draft[]): Promise<SendOutcome> {
    setState(sending(drafts));
    const outcome = (await sender.current?.send(visit, drafts)) ?? { kind: 'held' };
    setState(sent(outcome, drafts));
    return outcome;
  }

  function rate(_form: HTMLFormElement, { uuid, blockType }: Block, rating: Rating, isSettled: boolean): void {
    setState(rated(uuid));
    clearTimeout(settling.current);
    const visit = visitNow();
    const send = (): void => {
      settling.current = undefined;
      void save(visit, [{ uuid, block: blockType, response: rating }]);
    };
    // At once: the page may be closed with the same tap.
    if (isSettled) send();
    else settling.current = setTimeout(send, SETTLE);
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    clearTimeout(settling.current);
    settling.current = undefined;
    const drafts = typed(form);
    const errors = problemsOf(blocks, drafts, state.left);
    if (Object.keys(errors).length > 0) {
      setState((before) => ({ ...before, errors }));
      // A phone number that is wrong holds up no words.
      const sound = validDrafts(drafts, errors);
      if (sound.some(isRating)) void save(visitNow(), sound);
      return focusFirst(form, errors);
    }
    setState((before) => ({ ...before, isBusy: true }));
    const outcome = await save(visitNow(), drafts);
    setState(submitted(outcome));
    if (outcome.kind === 'refused') return focusFirst(form, errorsOf(outcome));
    if (outcome.kind === 'held') return;
    focusHeading(main.current);
  }

  function change(): void {
    setState((before) => ({ ...before, screen: 'experience' }));
    focusHeading(main.current);
  }

  /** The next person at this device. The entry of this page's history becomes theirs, so that going back shows nothing of before. */
  function startOver(): void {
    const key = newKey();
    const origin = originOf(state);
    remember({ key, ...origin }, formPath(props.formId, origin));
    setState(emptied(key));
    scrollTo(0, 0);
    focusHeading(main.current);
  }

  function review({ uuid, blockType }: Block, service: ReviewService): void {
    const { submissionKey: key } = state;
    void sender.current?.send({ key }, [{ uuid, block: blockType, response: { service } }]);
  }

  const { screen, isBusy = false, isLive = false, isResumed, submissionKey } = state;
  const { given, left, errors, standing } = state;
  const shown = { ...props, given, left, errors, screen, submissionKey };
  return (
    <main className="card" ref={main}>
      <p className="place" key={screen}>
        <Place {...props} />
      </p>
      {props.test && <p className="test">This is a test. The answer is marked and isn’t counted.</p>}
      {screen === 'done' ? (
        <Done {...shown} standing={standing} notice={state.notice} isLive={isLive} onChange={change} onReview={review} onNext={startOver} />
      ) : (
        <Experience
          // Fields that show something else are other fields: what they start with is read once.
          key={isResumed ? 'resumed' : 'opened'}
          {...shown}
          line={lineOf(state)}
          isStarted={standing !== undefined}
          busy={isBusy}
          onRate={rate}
          onSubmit={(form) => void submit(form)}
          onTyped={type}
        />
      )}
    </main>
  );
}

interface SenderEvents {
  /** Called once the page has hydrated, with what this device remembers; a face that was chosen before is sent then. */
  readonly onReady: (visit: RememberedVisit) => void;
  readonly onSettled: (outcome: SendOutcome) => void;
  readonly onEarlier: () => void;
  readonly onRenewed: (key: string, another: string) => void;
}

/** Sends answers for as long as the page lives, also those that earlier visits left on this device. */
function useSender(
  { formId, version, submissionKey, test }: FormProps,
  { onReady, ...events }: SenderEvents,
): RefObject<SubmissionSender | undefined> {
  const sender = useRef<SubmissionSender>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is of one submission as long as it lives
  useEffect(() => {
    const { width, height } = globalThis.screen;
    const visit = rememberedVisit() ?? { key: submissionKey, test };
    const opened = createSender({
      formId,
      formVersion: version,
      key: visit.key,
      diagnostics: { screen: { width, height } },
      // Without what the address carries: the team learns where it was rated, and nothing else.
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

/** A face that was chosen before this script arrived, and is not known to be sent. */
function chosenBefore(main: HTMLElement | null, steps: FormProps['steps'], known: readonly Draft[]): Draft[] {
  const form = main?.querySelector('form');
  const gauge = gaugeOf(steps);
  const chosen = form ? draftsOf([gauge], readerOf(form), []) : [];
  return chosen.filter(({ uuid, response }) => response !== known.find((one) => one.uuid === uuid)?.response);
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

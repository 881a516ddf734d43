import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { applyLook } from '#contract/brand/look.ts';
import { MINUTE } from '#contract/core/time.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import type { KioskContent, KioskLanguage } from '#contract/kiosk/kiosk.ts';
import { KIOSK_PATH } from '#contract/kiosk/kiosk-page.ts';
import { directionOf, type LanguageTag } from '#contract/language/languages.ts';
import { useIdle } from './idle.ts';
import { Pairing } from './Pairing.tsx';
import { Question } from './Question.tsx';
import { Staff } from './Staff.tsx';
import { useBurnInGuard, useTheme, useWakeLock } from './screen.ts';
import { Thanks } from './Thanks.tsx';
import type { Tablet } from './tablet.ts';

interface KioskPageProps {
  readonly tablet: Tablet;
  readonly version: string;
  /** Called once the page shows what it should. */
  readonly onRunning: () => void;
}

/** The page of a tablet: the pairing, or the kiosk. */
export function Kiosk({ tablet, version, onRunning }: KioskPageProps) {
  const state = useSyncExternalStore(tablet.subscribe, tablet.state);
  const { status, content } = state;
  useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (status !== 'opening') onRunning();
  }, [status === 'opening']);
  if (status === 'opening') return null;
  if (status === 'unable')
    return <p className="message">This browser can’t store answers. Turn off its private mode and reload this page.</p>;
  if (status !== 'paired' || !content) return <Pairing tablet={tablet} state={state} />;
  return (
    <>
      <Visits key={content.formId} tablet={tablet} content={content} newest={state.newest} version={version} />
      <Staff tablet={tablet} state={state} content={content} version={version} />
    </>
  );
}

/** Time without a touch until the faces move (ms). */
const ATTRACT_AFTER = 45_000;
/** A page that opened less long ago (ms) isn't replaced, because a slow network opens the stored version again. */
const SETTLED_AFTER = 10 * MINUTE;

interface VisitsProps {
  readonly tablet: Tablet;
  readonly content: KioskContent;
  readonly newest: string | undefined;
  readonly version: string;
}

/** A visit after its rating, with the content that asked for it: the team may change the form during a visit. */
interface RatedVisit {
  readonly rating: Rating;
  readonly content: KioskContent;
}

/** One visitor after another: the question, then thanks. */
function Visits({ tablet, content: newestContent, newest, version }: VisitsProps) {
  const [tag, setTag] = useState<LanguageTag>(newestContent.language);
  const [visit, setVisit] = useState<RatedVisit>();
  const [isAttracting, setAttracting] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  const lastTap = useRef(0);
  const isSaving = useRef(false);
  const { content } = visit ?? { content: newestContent };
  useWakeLock();
  useBurnInGuard();
  useIdle(ATTRACT_AFTER, () => {
    if (visit) return;
    setTag(content.language);
    setAttracting(true);
    // A newer version replaces this one while no one is there.
    const isOutdated = newest !== undefined && newest !== version && newest !== failedVersion();
    if (isOutdated && performance.now() > SETTLED_AFTER) location.replace(KIOSK_PATH);
  });
  const language = content.languages.find((each) => each.tag === tag) ?? content.languages[0];
  useDocument(language, content);
  if (!language) return null;
  const error = isUnsaved ? language.words.notSaved : undefined;
  if (visit) return <Thanks {...{ content, language, error }} rating={visit.rating} onNext={(words, how) => void next(words, how)} />;
  if (content.isClosed) return <p className="message">{language.words.closed}</p>;
  return (
    <Question
      {...{ content, language, error, isAttracting }}
      onRate={(rating) => void rate(rating, language.tag)}
      onLanguage={setTag}
      onTouch={() => setAttracting(false)}
    />
  );

  /** Stores a rating. Ignores taps on other faces until it is stored. */
  async function rate(rating: Rating, shownTag: LanguageTag): Promise<void> {
    if (isSaving.current) return;
    isSaving.current = true;
    const now = Date.now();
    const isRepeat = now - lastTap.current < content.repeatWithin * 1000;
    setAttracting(false);
    try {
      await tablet.rate({
        formId: content.formId,
        formVersion: content.formVersion,
        language: shownTag,
        responses: [{ uuid: content.gauge, block: 'EmojiGauge', response: rating }],
        ...(isRepeat && { isRepeat: true }),
      });
      lastTap.current = now;
      setUnsaved(false);
      setVisit({ rating, content });
    } catch {
      setUnsaved(true);
    }
    isSaving.current = false;
  }

  /** Stores the words, and shows the next visitor's question. Words that can't be stored stay only for someone who is there. */
  async function next(words: string, how: 'tap' | 'idle'): Promise<void> {
    try {
      if (words.trim() && content.text) await tablet.addWords({ uuid: content.text, block: 'OpenText', response: words });
    } catch {
      if (how === 'tap') return setUnsaved(true);
    }
    tablet.finish();
    setUnsaved(false);
    setVisit(undefined);
    setTag(newestContent.language);
  }
}

/** Returns the version that didn't start, if this page replaced it (server/kiosk/page.ts). */
const failedVersion = (): string | null => new URLSearchParams(location.search).get('stored');

/** Sets the document's language, title and colors. */
function useDocument(language: KioskLanguage | undefined, { place, look }: KioskContent): void {
  const theme = useTheme();
  useEffect(() => applyLook(document.documentElement.style, look, theme), [look, theme]);
  useEffect(() => {
    if (!language) return;
    document.documentElement.lang = language.tag;
    document.documentElement.dir = directionOf(language.tag);
    document.title = `${language.question} · ${place}`;
  }, [language, place]);
}

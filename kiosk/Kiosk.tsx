import { useEffect, useState, useSyncExternalStore } from 'react';
import { applyLook } from '#contract/brand/look.ts';
import type { Rating } from '#contract/feedback/rating.ts';
import type { KioskContent, KioskLanguage } from '#contract/kiosk/kiosk.ts';
import { KIOSK_PATH } from '#contract/kiosk/kiosk-page.ts';
import { directionOf, type LanguageTag } from '#contract/language/languages.ts';
import { useIdle } from './idle.ts';
import { Pairing } from './Pairing.tsx';
import { Question } from './Question.tsx';
import { Staff } from './Staff.tsx';
import { useBurnInGuard, useWakeLock } from './screen.ts';
import { Thanks } from './Thanks.tsx';
import type { Tablet } from './tablet.ts';

interface KioskProps {
  readonly tablet: Tablet;
  readonly version: string;
  /** Called once the page shows what it should. */
  readonly onRunning: () => void;
}

/** The page of a tablet: the pairing, or the kiosk. */
export function Kiosk({ tablet, version, onRunning }: KioskProps) {
  const state = useSyncExternalStore(tablet.subscribe, tablet.state);
  const { status, content } = state;
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

interface VisitsProps {
  readonly tablet: Tablet;
  readonly content: KioskContent;
  readonly newest: string | undefined;
  readonly version: string;
}

/** One visitor after another: the question, then thanks. */
function Visits({ tablet, content, newest, version }: VisitsProps) {
  const [tag, setTag] = useState<LanguageTag>(content.language);
  const [rating, setRating] = useState<Rating>();
  const [isAttracting, setAttracting] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  const [lastTap, setLastTap] = useState(0);
  useWakeLock();
  useBurnInGuard();
  useIdle(ATTRACT_AFTER, () => {
    if (rating !== undefined) return;
    setTag(content.language);
    setAttracting(true);
    // A newer version replaces this one while no one is there.
    if (newest !== undefined && newest !== version && newest !== failedVersion()) location.replace(KIOSK_PATH);
  });
  const language = content.languages.find((each) => each.tag === tag) ?? content.languages[0];
  useDocument(language, content);
  if (!language) return null;
  if (content.isClosed) return <p className="message">{language.words.closed}</p>;

  async function rate(chosen: Rating): Promise<void> {
    const now = Date.now();
    const isRepeat = now - lastTap < content.repeatWithin * 1000;
    setLastTap(now);
    setAttracting(false);
    try {
      await tablet.rate({
        formId: content.formId,
        formVersion: content.formVersion,
        language: tag,
        responses: [{ uuid: content.gauge, block: 'EmojiGauge', response: chosen }],
        ...(isRepeat && { isRepeat: true }),
      });
      setUnsaved(false);
      setRating(chosen);
    } catch {
      setUnsaved(true);
    }
  }

  async function next(words = ''): Promise<void> {
    try {
      if (words.trim() && content.text) await tablet.addWords({ uuid: content.text, block: 'OpenText', response: words });
    } catch {
      return setUnsaved(true);
    }
    tablet.finish();
    setUnsaved(false);
    setRating(undefined);
    setTag(content.language);
  }

  const error = isUnsaved ? language.words.notSaved : undefined;
  return rating === undefined ? (
    <Question
      {...{ content, language, error, isAttracting }}
      onRate={(chosen) => void rate(chosen)}
      onLanguage={setTag}
      onTouch={() => setAttracting(false)}
    />
  ) : (
    <Thanks {...{ content, language, error, rating }} onNext={(words) => void next(words)} />
  );
}

/** Returns the version that didn't start, if this page replaced it (server/kiosk/page.ts). */
const failedVersion = (): string | null => new URLSearchParams(location.search).get('stored');

/** Sets the document's language, title and colors. */
function useDocument(language: KioskLanguage | undefined, { place, look }: KioskContent): void {
  const isDark = useSyncExternalStore(watchTheme, () => darkTheme.matches);
  useEffect(() => applyLook(document.documentElement.style, look, isDark ? 'dark' : 'light'), [look, isDark]);
  useEffect(() => {
    if (!language) return;
    document.documentElement.lang = language.tag;
    document.documentElement.dir = directionOf(language.tag);
    document.title = `${language.question} · ${place}`;
  }, [language, place]);
}

const darkTheme = matchMedia('(prefers-color-scheme: dark)');

function watchTheme(onChange: () => void): () => void {
  darkTheme.addEventListener('change', onChange);
  return () => darkTheme.removeEventListener('change', onChange);
}

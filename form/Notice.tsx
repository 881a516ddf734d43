import { NOTICE_TONES, type NoticeName } from '#contract/form/form-page.ts';
import type { PageWords } from '#contract/language/words.ts';

/** A sentence about the whole form, or an empty line that announces the next one. */
export function Notice({ notice, words }: { notice: NoticeName | undefined; words: PageWords }) {
  return (
    <p className={notice && NOTICE_TONES[notice]} role="status">
      {notice && words[notice]}
    </p>
  );
}

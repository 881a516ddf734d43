import { LOGO_SIZE, type LogoPicture } from '#contract/brand/look.ts';
import { refusal } from '#contract/core/errors.ts';
import { createLimiter } from '../tenancy/limiter.ts';
import { DrawingProgram, type DrawResult, type PictureFault, type Shape } from './drawing-program.ts';
import { sizeOf } from './header.ts';

/** The faults as messages for people. */
export const PICTURE_FAULTS: Readonly<Record<PictureFault, string>> = {
  'no picture': 'Please choose a PNG, JPEG or WebP picture',
  'too large': 'Please choose a picture of at most 4 million pixels',
  'too heavy': 'This picture takes too long to process. Please choose another one',
};

/** Re-encodes uploaded pictures, one at a time, in a process that can be killed. */
export interface Pictures {
  /**
   * Returns a small square as a data URL, without anything else that the file contained. Refuses `too-many` while another picture
   * of `by` is in progress, and `overloaded` if too many wait or the machine is too busy.
   */
  square(picture: string, by: string): Promise<DrawResult>;
  /** Like `square`, but returns the whole picture, scaled to fit a screen. */
  fit(picture: string, by: string): Promise<DrawResult>;
  /** Like `fit`, but small enough to be part of a page, and again for mails, up to 45 kB large. */
  logo(picture: string, by: string): Promise<DrawnLogo | Extract<DrawResult, { fault: unknown }>>;
  /** Cancels the picture in progress. */
  stop(): void;
}

export interface DrawnLogo {
  readonly page: LogoPicture;
  readonly mail: LogoPicture;
}

function logosOf(result: DrawResult): DrawnLogo | Extract<DrawResult, { fault: unknown }> {
  if ('fault' in result) return result;
  const [page, mail] = [withSize(result.drawn), withSize(result.forMail)];
  return page && mail ? { page, mail } : { fault: 'no picture' };
}

/** Returns a drawn logo with its size in CSS pixels. */
function withSize(picture = ''): LogoPicture | undefined {
  const size = sizeOf(bytesOf(picture));
  return size && { picture, width: Math.round(size.width / LOGO_SIZE.dots), height: Math.round(size.height / LOGO_SIZE.dots) };
}

const LIMITS = {
  /** An uploaded picture (pixels): a PNG, JPEG or WebP by its first bytes. @limit picture */
  pixels: 4_194_304,
  side: 8_192,
  /** One picture is drawn at a time: its memory (bytes), its processor time, and how long its result is waited for (ms). @limit drawing */
  memory: 400_000_000,
  time: 4_000,
  patience: 5_000,
  /**
   * Pictures that wait, and for how long (ms). With `patience` that is shorter than a response may take (docs/limits.md#answer-time).
   * @limit drawing
   */
  waiting: 8,
  waitTimeout: 4_000,
} as const;
export function openPictures(limits: Partial<Record<keyof typeof LIMITS, number>> = {}): Pictures {
  const { pixels, side, memory, time, patience, waiting, waitTimeout } = { ...LIMITS, ...limits };
  const limiter = createLimiter({ atOnce: 1, waiting, waitTimeout, full: busy });
  const senders = new Set<string>();
  const program = new DrawingProgram({ pixels, memory, time, patience, busy });
  return {
    square: (picture, by) => drawFor(picture, { by, shape: 'square' }),
    fit: (picture, by) => drawFor(picture, { by, shape: 'fit' }),
    logo: async (picture, by) => logosOf(await drawFor(picture, { by, shape: 'logo' })),
    stop: () => program.stop(),
  };

  async function drawFor(picture: string, { by, shape }: { readonly by: string; readonly shape: Shape }): Promise<DrawResult> {
    const bytes = bytesOf(picture);
    const size = sizeOf(bytes);
    if (!size) return { fault: 'no picture' };
    if (size.width * size.height > pixels || Math.max(size.width, size.height) > side) return { fault: 'too large' };
    if (senders.has(by)) throw refusal('too-many', { retryAfter: 5 });
    senders.add(by);
    try {
      return await limiter.run(() => program.draw(bytes, shape));
    } finally {
      senders.delete(by);
    }
  }
}

/** Returns the content of a data URL. */
const bytesOf = (picture: string): Buffer => Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');

const busy = () => refusal('overloaded', { retryAfter: 5 });

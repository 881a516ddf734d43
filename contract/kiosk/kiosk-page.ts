import { DAY, MINUTE } from '../core/time.ts';

/* What the server and a tablet's page share. Without the schema library, so that the page stays small. */

/** The address that a tablet opens. Short, because someone types it. */
export const KIOSK_PATH = '/kiosk';
/** The service worker of that page. */
export const KIOSK_WORKER = '/kiosk-worker.js';
/** The page that the dashboard frames to preview a kiosk. */
export const KIOSK_PREVIEW_PATH = '/kiosk-preview';

/** How often a kiosk reports (ms). @limit kiosks */
export const REPORT_EVERY = MINUTE;
/** The most answers in one delivery. @limit kiosks */
export const MOST_DELIVERED = 50;
/** The longest time (ms) that an answer can wait on a tablet and still be dated to when it was given. @limit kiosks */
export const LONGEST_AGE = 60 * DAY;

/* The addresses in dashboard/start.ts, which is in every document and so doesn't contain the others (paths.ts). */

export const FEED_PATH = '/';
export const SIGN_UP_PATH = '/signup';

// Node's settings for the product.
import path from 'node:path';

/**
 * By default Node uses three times 32 MB for short-lived objects, and lets the rest grow to four times what is used. A server with
 * short requests needs neither, and uses half the memory with these flags.
 */
export const FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];

export const ENVIRONMENT = {
  // Each password hash occupies a thread. The others stay free for files, DNS and tokens.
  UV_THREADPOOL_SIZE: '8',
  // The C library returns memory instead of pooling it per thread.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // From its second start on, Node doesn't load its TypeScript compiler, which occupies 35 MB.
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/compiled'),
};

// How Node runs the product.

/**
 * By itself Node gives what lives for one request three times 32 MB, and lets the rest grow to four times what is used. A
 * server that answers in milliseconds has no use for either: with these it takes half of the memory.
 */
export const FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=100'];

export const ENVIRONMENT = {
  // Password hashes take a thread each; the others stay free for files, names and tokens.
  UV_THREADPOOL_SIZE: '8',
  // The C library gives memory back, and keeps no pool of it for each thread.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

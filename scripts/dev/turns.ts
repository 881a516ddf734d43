/** Work that is done for several changes at once, one turn after the other. */
export interface Turns<Change> {
  add(change: Change): void;
  /** No turn begins any more; fulfilled when the last one is over. */
  stop(): Promise<void>;
}

/** Ms in which nothing more is saved: editors and checkouts save many files. */
const QUIET = 100;

/** Does the work once for all changes that come in one go, and once more for all that come meanwhile. It must not fail. */
export function takeTurns<Change>(work: (changes: readonly Change[]) => Promise<void>, quiet = QUIET): Turns<Change> {
  let waiting: Change[] = [];
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const turn = async (): Promise<void> => {
    const changes = waiting;
    waiting = [];
    if (changes.length > 0) await work(changes);
  };
  return {
    add(change) {
      waiting.push(change);
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last.then(turn);
      }, quiet);
    },
    async stop() {
      clearTimeout(timer);
      waiting = [];
      await last;
    },
  };
}

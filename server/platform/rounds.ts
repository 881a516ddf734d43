/** Work that runs at intervals, and earlier when requested. */
interface Rounds {
  start(): void;
  /** Requests a round. One requested during another follows it. */
  request(): void;
  /** Ends the intervals and waits for requested rounds. */
  stop(): Promise<void>;
}

interface RoundsOptions {
  /** The interval (ms). */
  readonly every: number;
  readonly round: () => Promise<void>;
  /** Receives the error of a round. The next interval tries again. */
  readonly warn: (error: unknown) => void;
}

/** Runs one round at a time. */
export function openRounds({ every, round, warn }: RoundsOptions): Rounds {
  let running: Promise<void> | undefined;
  let isRequested = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer = setInterval(request, every);
      request();
    },
    request,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };

  function request(): void {
    isRequested = true;
    running ??= runRequested().finally(() => {
      running = undefined;
    });
  }

  async function runRequested(): Promise<void> {
    try {
      while (isRequested) {
        isRequested = false;
        await round();
      }
    } catch (error) {
      warn(error);
    }
  }
}

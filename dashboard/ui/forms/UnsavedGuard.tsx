import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../layers/ConfirmDialog.tsx';

interface GuardedPlace {
  readonly pathname: string;
  readonly search: object;
}

interface UnsavedGuardProps {
  /** Whether something would be lost. */
  readonly isOn: boolean;
  /** Whether an address shows the same thing as this one, so that nothing is lost by going there. */
  readonly isSame: (next: GuardedPlace, now: GuardedPlace) => boolean;
}

const NOTHING_TO_DO = { isPending: false, failure: undefined, reset: () => undefined };

/** Asks before what was changed and not saved is left: for another page, or for good. */
export function UnsavedGuard({ isOn, isSame }: UnsavedGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isOn && !isSame(next, current),
    enableBeforeUnload: isOn,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      verb="Leave"
      action={NOTHING_TO_DO}
      onConfirm={() => proceed?.()}
    >
      Your changes aren’t saved and will be lost.
    </ConfirmDialog>
  );
}

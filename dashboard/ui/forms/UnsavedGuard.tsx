import { useBlocker } from '@tanstack/react-router';
import { t } from '../../language.ts';
import { ConfirmDialog } from '../layers/ConfirmDialog.tsx';

interface GuardedPlace {
  readonly pathname: string;
  readonly search: object;
}

interface UnsavedGuardProps {
  /** There are unsaved changes. */
  readonly isOn: boolean;
  /** Returns true if the next address shows the same form, so that nothing is lost. */
  readonly isSame: (next: GuardedPlace, now: GuardedPlace) => boolean;
}

const NOTHING_TO_DO = { isPending: false, failure: undefined, reset: () => undefined };

/** Asks for confirmation before unsaved changes are lost by leaving the page or the site. */
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
      title={t('Leave without saving?')}
      action={{ ...NOTHING_TO_DO, label: t('Leave'), run: () => proceed?.() }}
    >
      {t('Your changes aren’t saved and will be lost.')}
    </ConfirmDialog>
  );
}

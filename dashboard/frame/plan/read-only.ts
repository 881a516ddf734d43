import { isReadOnly } from '#contract/billing/billing.ts';
import { t } from '../../language.ts';
import { useTeam } from '../team.ts';

/** Returns why the team's pages are read-only, as a sentence; undefined if they aren't. The server refuses changes anyway. */
export function useReadOnly(): string | undefined {
  const { account, isDemo } = useTeam();
  return !isDemo && isReadOnly(account.data.subscription) ? t('You can’t make changes until your plan is paid.') : undefined;
}

/** Returns the same reason as part of a sentence, for disabled menu items. */
export function useWhyReadOnly(): string | undefined {
  return useReadOnly() && t('you can’t make changes until your plan is paid');
}

import { isReadOnly } from '#contract/billing/billing.ts';
import { useTeam } from '../team.ts';

/** Why nothing can be changed, as a sentence; undefined where everything can. The server refuses it all the same. */
export function useReadOnly(): string | undefined {
  const { account, isDemo } = useTeam();
  return !isDemo && isReadOnly(account.data.subscription) ? 'You can’t make changes until your plan is paid.' : undefined;
}

/** The same as a part of a sentence, as the items of a menu say why they are off. */
export function useWhyReadOnly(): string | undefined {
  const sentence = useReadOnly();
  return sentence && `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;
}

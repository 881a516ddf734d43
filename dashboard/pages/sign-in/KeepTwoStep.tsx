import { t } from '../../language.ts';
import { LinkAction } from './LinkAction.tsx';

/** Refuses a requested reset of two-step sign-in, by the emailed link. */
export const KeepTwoStep = () => (
  <LinkAction
    to="keep-two-step"
    action="refuseSecondFactorReset"
    words={{
      title: t('Keep two-step sign-in?'),
      lead: t('Someone asked to turn it off because you lost your phone. If that wasn’t you, keep it on.'),
      verb: t('Keep two-step sign-in'),
      done: {
        title: t('Two-step sign-in stays on'),
        text: t('Request refused. If you don’t know who made it, change your password.'),
      },
      expired: t('The request was already refused, withdrawn or completed.'),
    }}
  />
);

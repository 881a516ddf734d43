import { LinkAction } from './LinkAction.tsx';

/** Refuses a requested reset of two-step sign-in, by the emailed link. */
export const KeepTwoStep = () => (
  <LinkAction
    to="keep-two-step"
    action="refuseSecondFactorReset"
    words={{
      title: 'Keep two-step sign-in?',
      lead: 'Someone asked to turn it off because you lost your phone. If that wasn’t you, keep it on.',
      verb: 'Keep two-step sign-in',
      done: {
        title: 'Two-step sign-in stays on',
        text: 'Request refused. If you don’t know who made it, change your password.',
      },
      expired: 'The request was already refused, withdrawn or completed.',
    }}
  />
);

import { ByLink } from './ByLink.tsx';

/** Refuses the reset that an operator asked for, by the link from the mail. */
export const KeepTwoStep = () => (
  <ByLink
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
      over: 'The request was already refused, withdrawn or completed.',
    }}
  />
);

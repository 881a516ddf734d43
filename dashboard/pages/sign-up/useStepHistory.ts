import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SignUpStep } from '#contract/billing/billing.ts';
import { stepAt } from './steps.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The sign-up step for Back and Forward. */
    signUpStep?: SignUpStep;
  }
}

interface StepHistory {
  /** The step to show: the account's, or an earlier one from the history. */
  readonly step: SignUpStep | undefined;
  open(step: SignUpStep): void;
}

/** Adds each reached step to the browser history, so that Back shows the previous step. */
export function useStepHistory(actual: SignUpStep | undefined): StepHistory {
  const { history } = useRouter();
  const fromHistory = useRouterState({ select: ({ location }) => location.state.signUpStep });
  const previous = useRef(actual);
  useEffect(() => {
    const from = previous.current;
    previous.current = actual;
    // The account is created once, so nothing goes back to that step.
    if (actual === undefined || !from || actual <= from) return;
    history.replace(history.location.href, { signUpStep: from });
    // Without a flush, both entries would be written as one.
    history.flush();
    history.push(history.location.href, { signUpStep: actual });
  }, [actual, history]);
  return { step: stepAt(actual, fromHistory), open: (signUpStep) => history.push(history.location.href, { signUpStep }) };
}

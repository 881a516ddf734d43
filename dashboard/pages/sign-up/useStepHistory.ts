import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SignUpStep } from '#contract/billing/billing.ts';
import { stepAt } from './steps.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The step of signing up that Back and forward lead to. */
    signUpStep?: SignUpStep;
  }
}

interface StepHistory {
  /** The step to show: the account's, or one before that the history leads to. */
  readonly step: SignUpStep | undefined;
  open(step: SignUpStep): void;
}

/** Each step that the account comes to is a step of the history, so that Back shows the one before and does not leave. */
export function useStepHistory(actual: SignUpStep | undefined): StepHistory {
  const { history } = useRouter();
  const kept = useRouterState({ select: ({ location }) => location.state.signUpStep });
  const before = useRef(actual);
  useEffect(() => {
    const from = before.current;
    before.current = actual;
    // Creating the account is done once: nothing leads back to it.
    if (actual === undefined || !from || actual <= from) return;
    history.replace(history.location.href, { signUpStep: from });
    // Or the two would be written as one.
    history.flush();
    history.push(history.location.href, { signUpStep: actual });
  }, [actual, history]);
  return { step: stepAt(actual, kept), open: (signUpStep) => history.push(history.location.href, { signUpStep }) };
}

import { useEffect, useState } from 'react';
import { useReducedMotion } from '../../ui/mantine.ts';

/** How long a step takes to leave (ms, SPEC §9). */
const LEAVES_FOR = 550;

export interface ShownStep<Step> {
  /** Undefined until the first is known. */
  readonly step: Step | undefined;
  readonly isLeaving: boolean;
}

/** The step on the screen follows the step of the account after 550 ms, and at once for whoever wants less motion. */
export function useShownStep<Step>(target: Step | undefined): ShownStep<Step> {
  const [step, setStep] = useState(target);
  const isCalm = useReducedMotion(false, { getInitialValueInEffect: false });
  const isLeaving = target !== undefined && step !== undefined && step !== target;
  useEffect(() => {
    if (target === undefined || step === target) return;
    const timer = setTimeout(() => setStep(target), step === undefined || isCalm ? 0 : LEAVES_FOR);
    return () => clearTimeout(timer);
  }, [target, step, isCalm]);
  return { step, isLeaving };
}

import { useEffect, useRef } from 'react';
import { type FormAction, type FormOf, type FormOptions, useForm } from './useForm.ts';

interface StoredFormOptions<Values> extends Omit<FormOptions<Values>, 'initialValues'> {
  readonly stored: Values;
  /** Saves the values, which changes `stored` while it is pending. */
  readonly action: FormAction;
}

/**
 * Returns a form of stored values. It adopts what the server has saved, except in fields that were changed since it was sent, and what a
 * teammate saves, except in fields that are changed here.
 */
export function useStoredForm<Values extends object>({ stored, ...options }: StoredFormOptions<Values>): FormOf<Values> {
  const form = useForm<Values>({ ...options, initialValues: stored });
  /** The stored values that the form is based on, and those that are being saved. */
  const base = useRef(stored);
  const sent = useRef<Values>(undefined);

  const { isPending, failure } = options.action;
  // biome-ignore lint/correctness/useExhaustiveDependencies: adopts only changed or saved values
  useEffect(() => {
    const isSaved = sent.current !== undefined && !isPending && failure === undefined;
    if (isSaved || !isSame(stored, base.current)) {
      const values = withSaved(form.getValues(), sent.current ?? base.current, stored);
      base.current = stored;
      form.setInitialValues(stored);
      form.setValues(values);
    }
    if (!isPending) sent.current = undefined;
  }, [JSON.stringify(stored), isPending]);

  return {
    ...form,
    onSubmit: (submit, refuse) =>
      form.onSubmit((values, event) => {
        sent.current = form.getValues();
        submit(values, event);
      }, refuse),
  };
}

/** Returns saved values, except in fields that differ from those before. */
const withSaved = <Values extends object>(values: Values, before: Values, saved: Values): Values => {
  const isChanged = ([field]: readonly [string, unknown]) => !isSame(values[field as keyof Values], before[field as keyof Values]);
  return { ...saved, ...Object.fromEntries(Object.entries(values).filter(isChanged)) };
};

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

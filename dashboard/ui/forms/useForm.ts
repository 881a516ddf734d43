import { type FormErrors, schemaResolver, type UseFormReturnType, useForm as useMantineForm } from '@mantine/form';
import { type FocusEvent, useState } from 'react';
import type * as v from 'valibot';
import { translatedMessage } from '../../message.ts';
import { useHold } from '../layers/hold.ts';
import { afterPress } from '../press.ts';
import { focusFirstInvalid } from './invalid-field.ts';

/** The state of a form's action that the form shows. */
export interface FormAction {
  readonly isPending: boolean;
  readonly failure: string | undefined;
  /** Returns the server's message for a field. */
  problemOf(field: string): string | undefined;
  /** Clears the failure. */
  reset(): void;
}

export interface FormOptions<Values> {
  readonly initialValues: Values;
  /** Validates the values; its messages, in English or translated, are shown beside the fields. */
  readonly schema: v.GenericSchema<never, unknown> | v.GenericSchema;
  /** The submit action. Its field errors are shown beside the fields until a value changes. */
  readonly action?: FormAction;
  /** Saving closes or empties the form, so its fields don't change while it's pending: what is typed then would be lost. */
  readonly closes?: boolean;
  /** The server's names of fields, if they differ. */
  readonly sentAs?: Readonly<Record<string, string>>;
  readonly onChange?: (values: Values) => void;
}

export type FormOf<Values> = UseFormReturnType<Values>;

/**
 * Returns a Mantine form that validates a field on blur, and then on each change. A field left empty for a button or link shows
 * no error (docs/rules.md#fields). An invalid submit moves the focus to the first invalid field; after a server refusal, the
 * button does.
 */
export function useForm<Values extends object>({
  initialValues,
  schema,
  action,
  closes = false,
  sentAs = {},
  onChange,
}: FormOptions<Values>): FormOf<Values> {
  const [visited, setVisited] = useState<string[]>([]);
  const isLocked = closes && action?.isPending === true;
  const mantineForm = useMantineForm<Values>({
    initialValues,
    validate: translated(schemaResolver(schema, { sync: true })),
    // Field paths, which Mantine types by the form's values.
    validateInputOnChange: visited as never[],
    onValuesChange(values) {
      action?.reset();
      // An error may depend on the value of another field.
      for (const path of visited) if (path in mantineForm.errors) mantineForm.validateField(path);
      onChange?.(values);
    },
    enhanceGetInputProps: ({ inputProps: { value, error }, field, form }) => ({
      error: action?.problemOf(sentAs[field] ?? field) ?? error,
      ...(isLocked && { readOnly: true, onChange: () => undefined }),
      onBlur({ relatedTarget }: FocusEvent) {
        if (value === '' && relatedTarget?.closest('a, button')) return;
        afterPress(() => {
          setVisited((paths) => [...paths.filter((each) => each !== field), field]);
          form.validateField(field);
        });
      },
    }),
  });
  useHold(mantineForm.isDirty());
  return {
    ...mantineForm,
    onSubmit: (submit, refuse) =>
      mantineForm.onSubmit(submit, (errors, values, event) => {
        refuse?.(errors, values, event);
        const fields = event?.currentTarget;
        // Wait until the fields show their errors.
        requestAnimationFrame(() => focusFirstInvalid(fields));
      }),
  };
}

/** Translates the messages of a schema, which the contract has in English. */
const translated =
  <Values>(validate: (values: Values) => FormErrors) =>
  (values: Values): FormErrors =>
    Object.fromEntries(
      Object.entries(validate(values)).map(([path, error]) => [path, typeof error === 'string' ? translatedMessage(error) : error]),
    );

import { schemaResolver, type UseFormReturnType, useForm as useKitForm } from '@mantine/form';
import { type FocusEvent, useState } from 'react';
import type * as v from 'valibot';
import { afterPress } from '../press.ts';
import { focusFirstWrong } from './wrong-field.ts';

/** What a form or a dialog shows of the action that it submits to. */
export interface FormAction {
  readonly isPending: boolean;
  readonly failure: string | undefined;
  /** The server's message for one field. */
  problemOf(field: string): string | undefined;
  /** Clears the failure. */
  reset(): void;
}

interface FormOptions<Values> {
  readonly initialValues: Values;
  /** Which values are right; its messages stand beside the fields. */
  readonly schema: v.GenericSchema<never, unknown> | v.GenericSchema;
  /** The action that the form submits to: its refusals stand beside the fields too, until a value changes. */
  readonly action?: FormAction;
  /** The server's name of a field, where it differs. */
  readonly sentAs?: Readonly<Record<string, string>>;
  readonly onChange?: (values: Values) => void;
}

export type FormOf<Values> = UseFormReturnType<Values>;

/**
 * The kit's form with our habits: a field is looked at on leaving it, and again at each change once it was wrong. One that is
 * left empty for a button or a link says nothing: whoever goes there is not filling in (docs/rules.md#fields). What is submitted
 * and wrong gives the focus to its first wrong field; what the server refuses does so by its button.
 */
export function useForm<Values extends object>({
  initialValues,
  schema,
  action,
  sentAs = {},
  onChange,
}: FormOptions<Values>): FormOf<Values> {
  const [left, setLeft] = useState<string[]>([]);
  const kitForm = useKitForm<Values>({
    initialValues,
    validate: schemaResolver(schema, { sync: true }),
    // The paths of fields, which the kit types by their values.
    validateInputOnChange: left as never[],
    onValuesChange(values) {
      action?.reset();
      onChange?.(values);
    },
    enhanceGetInputProps: ({ inputProps: { value, error }, field, form }) => ({
      error: action?.problemOf(sentAs[field] ?? field) ?? error,
      onBlur({ relatedTarget }: FocusEvent) {
        if (value === '' && relatedTarget?.closest('a, button')) return;
        afterPress(() => {
          setLeft((before) => [...before.filter((each) => each !== field), field]);
          form.validateField(field);
        });
      },
    }),
  });
  return {
    ...kitForm,
    onSubmit: (submit, refuse) =>
      kitForm.onSubmit(submit, (errors, values, event) => {
        refuse?.(errors, values, event);
        const fields = event?.currentTarget;
        // Once the fields say what is wrong.
        requestAnimationFrame(() => focusFirstWrong(fields));
      }),
  };
}

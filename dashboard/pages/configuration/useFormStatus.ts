import { useQuery } from '@tanstack/react-query';
import type { FormStatus } from '#contract/form/form.ts';
import type { Property } from '#contract/property/property.ts';
import { formVersionQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';

/** Returns whether a property's form is open, closed or deleted; undefined while loading. */
export const useFormStatus = ({ data }: Property): FormStatus | undefined =>
  useQuery(formVersionQuery(useSource(), data.formId)).data?.standing;

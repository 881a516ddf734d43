import { useQuery } from '@tanstack/react-query';
import type { FormStatus } from '#contract/form/form.ts';
import type { Property } from '#contract/property/property.ts';
import { formVersionQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';

/** Whether visitors can answer a property's form; undefined while that is not known. */
export const useStanding = ({ data }: Property): FormStatus | undefined =>
  useQuery(formVersionQuery(useSource(), data.formId)).data?.standing;

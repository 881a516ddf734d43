import { useQuery } from '@tanstack/react-query';
import type { Property } from '#contract/property/property.ts';
import { formVersionQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';

/** Asks whether a property's form is open, closed or deleted. */
export const useFormStatus = ({ data }: Property) =>
  useQuery({ ...formVersionQuery(useSource(), data.formId), select: ({ standing }) => standing });

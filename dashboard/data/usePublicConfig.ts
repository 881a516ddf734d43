import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { configInDocument } from './client.ts';
import { configQuery } from './queries.ts';

/** Returns the installation's public settings, from the first render on if the document contains them. */
export const usePublicConfig = (): PublicConfig | undefined => useQuery({ ...configQuery, placeholderData: configInDocument }).data;

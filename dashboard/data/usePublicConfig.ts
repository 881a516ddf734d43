import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { configInDocument } from './client.ts';
import { configQuery } from './queries.ts';

/** What the installation is set to, from the first drawing on where the document says it. */
export const usePublicConfig = (): PublicConfig | undefined => useQuery({ ...configQuery, placeholderData: configInDocument }).data;

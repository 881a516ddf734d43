import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ExportedFile, isInProgress } from '#contract/export/export.ts';
import { exportsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';

export interface Exports {
  readonly files: readonly ExportedFile[];
  readonly isError: boolean;
  readonly retry: () => void;
}

/** How often the progress is fetched (ms). */
const REFRESH = 1_000;

interface UseExports {
  /** Fetches nothing until this is true. */
  readonly isOn: boolean;
  /** Called when a pending file is complete. */
  readonly onComplete: (file: ExportedFile) => void;
}

/** Returns the caller's files, refreshed while one is pending. */
export function useExports({ isOn, onComplete }: UseExports): Exports {
  const { data, isError, refetch } = useQuery({
    ...exportsQuery(useSource()),
    enabled: isOn,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? REFRESH : false),
  });
  const pending = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!data) return;
    for (const file of data) if (file.data.status === 'done' && pending.current.has(file.id)) onComplete(file);
    pending.current = new Set(data.filter(isInProgress).map(({ id }) => id));
  }, [data, onComplete]);
  return { files: data ?? [], isError, retry: () => void refetch() };
}

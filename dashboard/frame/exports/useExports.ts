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
  /** Called when a file is complete that wasn't at the previous fetch, even if it was never seen in progress. */
  readonly onComplete: (file: ExportedFile) => void;
}

/** Returns the caller's files, refreshed while one is pending. */
export function useExports({ isOn, onComplete }: UseExports): Exports {
  const { data, isError, refetch } = useQuery({
    ...exportsQuery(useSource()),
    enabled: isOn,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? REFRESH : false),
  });
  /** The ids of complete files at the previous fetch. */
  const complete = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!data) return;
    const done = data.filter((file) => file.data.status === 'done');
    for (const file of done) if (complete.current?.has(file.id) === false) onComplete(file);
    complete.current = new Set(done.map(({ id }) => id));
  }, [data, onComplete]);
  return { files: data ?? [], isError, retry: () => void refetch() };
}

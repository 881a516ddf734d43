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

/** How often it is asked how far a file is (ms). */
const EVERY = 1_000;

interface UseExports {
  /** Nobody is asked before it is. */
  readonly isOn: boolean;
  /** A file that was being written is whole. */
  readonly onWhole: (file: ExportedFile) => void;
}

/** One's own files, asked for again while one is being written. */
export function useExports({ isOn, onWhole }: UseExports): Exports {
  const { data, isError, refetch } = useQuery({
    ...exportsQuery(useSource()),
    enabled: isOn,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? EVERY : false),
  });
  const underWay = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!data) return;
    for (const file of data) if (file.data.status === 'done' && underWay.current.has(file.id)) onWhole(file);
    underWay.current = new Set(data.filter(isInProgress).map(({ id }) => id));
  }, [data, onWhole]);
  return { files: data ?? [], isError, retry: () => void refetch() };
}

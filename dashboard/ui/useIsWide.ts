import { useMediaQuery } from './mantine.ts';

/** Room for the navigation and two columns beside it. */
export const useIsWide = (): boolean => useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false }) ?? true;

import { useDocumentTitle } from './mantine.ts';

/** The page's name in the tab and in the history. */
export const useTitle = (title: string): void => useDocumentTitle(`${title} · Afterword`);

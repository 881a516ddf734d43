/** Removes the line breaks and indentation of an inline script. Its names are short already. */
export const minified = (script: string): string => script.trim().replace(/\n\s*/g, ' ');

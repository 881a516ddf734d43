/** Module tests that fail on a Citus cluster, by file and name, with the reason. */
export const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

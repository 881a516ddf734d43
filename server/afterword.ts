import type { Application } from './postgres/postgres.ts';

/** Whom the embedded PostgreSQL serves. Databases in use have the name on disk. */
export const AFTERWORD: Application = {
  name: 'afterword',
  title: 'Afterword',
  variables: { dataDir: 'DATA_DIR', databaseUrl: 'DATABASE_URL' },
};

import type { Application } from './postgres/postgres.ts';

/** The application of the embedded PostgreSQL. Existing databases have this name on disk. */
export const AFTERWORD: Application = {
  name: 'afterword',
  title: 'Afterword',
  variables: { dataDir: 'DATA_DIR', databaseUrl: 'DATABASE_URL' },
};

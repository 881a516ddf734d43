/** The program that embeds PostgreSQL, as its database, its files and its messages name it. */
export interface Application {
  /**
   * In lower case, such as `library`. Names the database and its superuser, the settings and their file, the folder in
   * `/var/lib`, and the first choice among the system's users when root starts the server. Never changes: it is on disk.
   */
  readonly name: string;
  /** As messages call it, such as `Library`. */
  readonly title: string;
  /** The environment variables that messages advise to set. */
  readonly variables: { readonly dataDir: string; readonly databaseUrl: string };
}

/** The part of the application's logger that is used here. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The names of the program that embeds PostgreSQL, used for its database, files and messages. */
export interface Application {
  /**
   * Lowercase, such as `library`. Names the database, its superuser, the settings and their file, the folder in `/var/lib`, and
   * the preferred system user when root starts the server. Must never change, because it is on disk.
   */
  readonly name: string;
  /** The name in messages, such as `Library`. */
  readonly title: string;
  /** The environment variables named in messages. */
  readonly variables: { readonly dataDir: string; readonly databaseUrl: string };
}

/** The methods of the application's logger that are used here. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

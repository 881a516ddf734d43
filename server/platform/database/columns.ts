import { customType, timestamp } from 'drizzle-orm/pg-core';

/** A time in milliseconds, the precision used throughout the product. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Text compared byte by byte regardless of the server's locale, for ids whose order matters. */
export const sortableText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

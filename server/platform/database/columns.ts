import { customType, timestamp } from 'drizzle-orm/pg-core';

/** A moment to the millisecond, as all times of the product are. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Text that is compared byte by byte, whatever the server's language: for ids whose order means something. */
export const sortableText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

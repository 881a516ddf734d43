CREATE TABLE "rate_limit" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- Of no account: counts by the hash of what is counted and for whom.
grant select, insert, update, delete on rate_limit to afterword_app;
alter table rate_limit enable row level security;
alter table rate_limit force row level security;
create policy of_processes on rate_limit to afterword_app using (true) with check (true);

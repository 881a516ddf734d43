CREATE TABLE "heartbeat" (
	"slot" smallint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- Written on the visitors' path, so that readiness says whether that path works.
grant select, insert, update on heartbeat to afterword_intake;
alter table heartbeat enable row level security;
alter table heartbeat force row level security;
create policy of_processes on heartbeat to afterword_intake using (true) with check (true);

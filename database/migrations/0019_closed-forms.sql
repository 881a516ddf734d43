ALTER TABLE "form" ADD COLUMN "deleted" timestamp (3) with time zone;
--> statement-breakpoint
-- Until now only forms of deleted properties were closed, for good. Not even the owner of the table sees rows past its policies.
alter table form no force row level security;
update form set deleted = closed where closed is not null;
alter table form force row level security;

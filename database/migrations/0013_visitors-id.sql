ALTER TABLE "feedback" ADD COLUMN "user_id" text;
--> statement-breakpoint
-- The form says whose it is.
grant select (display_name) on account to afterword_intake;

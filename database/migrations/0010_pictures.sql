ALTER TABLE "user" ADD COLUMN "pictures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "pictures_since" timestamp (3) with time zone;
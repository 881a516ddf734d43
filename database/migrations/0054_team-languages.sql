ALTER TABLE "user" DROP CONSTRAINT "user_lengths";--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "private_replies" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_lengths" CHECK (greatest(length("user"."account_id"), length("user"."id"), length("user"."created_by"), length("user"."language")) <= 4000 and greatest(length("user"."display_name")) <= 200 and greatest(length("user"."email_address")) <= 254 and greatest(length("user"."avatar")) <= 1000000) NOT VALID;
CREATE TABLE "identity_lock" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"sub" uuid NOT NULL,
	"address" text NOT NULL,
	"made" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "identity_totp" ADD COLUMN "enabled_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "identity_lock" ADD CONSTRAINT "identity_lock_sub_identity_user_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identity_lock_of_user" ON "identity_lock" USING btree ("sub");--> statement-breakpoint
CREATE INDEX "identity_lock_made" ON "identity_lock" USING btree ("made");--> statement-breakpoint
grant select, insert, delete on identity_lock to afterword_app;

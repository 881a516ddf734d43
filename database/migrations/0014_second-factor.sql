CREATE TABLE "identity_backup_code" (
	"sub" uuid NOT NULL,
	"mac" "bytea" NOT NULL,
	"used" timestamp (3) with time zone,
	CONSTRAINT "identity_backup_code_sub_mac_pk" PRIMARY KEY("sub","mac")
);
--> statement-breakpoint
CREATE TABLE "identity_factor_reset" (
	"sub" uuid PRIMARY KEY NOT NULL,
	"asked_by" text NOT NULL,
	"asked" timestamp (3) with time zone NOT NULL,
	"due" timestamp (3) with time zone NOT NULL,
	"key" "bytea" NOT NULL,
	CONSTRAINT "identity_factor_reset_key" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "identity_backup_code" ADD CONSTRAINT "identity_backup_code_sub_identity_totp_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_totp"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_factor_reset" ADD CONSTRAINT "identity_factor_reset_sub_identity_user_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identity_factor_reset_due" ON "identity_factor_reset" USING btree ("due");--> statement-breakpoint
-- As the rest of the user pool: before every account, so without row security, and closed to the public form.
grant select, insert, update, delete on identity_backup_code, identity_factor_reset to afterword_app;

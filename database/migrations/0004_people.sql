CREATE TABLE "identity_challenge" (
	"session" "bytea" PRIMARY KEY NOT NULL,
	"sub" uuid NOT NULL,
	"credential" integer NOT NULL,
	"device_key" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_code" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"mac" "bytea" NOT NULL,
	"sub" uuid,
	"credential" integer DEFAULT 0 NOT NULL,
	"address" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"used" boolean DEFAULT false NOT NULL,
	"expires" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_invitation" (
	"sub" uuid PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"expires" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_invitation_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "identity_totp" (
	"sub" uuid PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"verified" boolean DEFAULT false NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"last_step" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "identity_session" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity_session" ADD COLUMN "two_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity_user" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "identity_user" ADD COLUMN "ended_before" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "identity_challenge" ADD CONSTRAINT "identity_challenge_sub_identity_user_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_code" ADD CONSTRAINT "identity_code_sub_identity_user_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_totp" ADD CONSTRAINT "identity_totp_sub_identity_user_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identity_challenge_of_user" ON "identity_challenge" USING btree ("sub");--> statement-breakpoint
CREATE INDEX "identity_challenge_expiry" ON "identity_challenge" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "identity_code_of_user" ON "identity_code" USING btree ("sub");--> statement-breakpoint
CREATE INDEX "identity_code_expiry" ON "identity_code" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "identity_invitation_expiry" ON "identity_invitation" USING btree ("expires");
--> statement-breakpoint
-- As with the rest of the pool, the public form has no right on any of it.
grant select, insert, update, delete on identity_code, identity_totp, identity_challenge, identity_invitation to afterword_app;

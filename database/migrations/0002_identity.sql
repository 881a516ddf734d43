CREATE TABLE "identity_device" (
	"sub" uuid NOT NULL,
	"key" text NOT NULL,
	"name" text,
	"salt" text,
	"verifier" text,
	"remembered" boolean DEFAULT false NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"modified" timestamp (3) with time zone NOT NULL,
	"last_sign_in" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_device_sub_key_pk" PRIMARY KEY("sub","key")
);
--> statement-breakpoint
CREATE TABLE "identity_key" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed_by" text NOT NULL,
	"generation" integer NOT NULL,
	"public_key" jsonb NOT NULL,
	"private_key" "bytea" NOT NULL,
	"signs_from" timestamp (3) with time zone NOT NULL,
	"signs_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_key_generation" UNIQUE("sealed_by","generation")
);
--> statement-breakpoint
CREATE TABLE "identity_pool" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	"client_id" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_pool_is_one" CHECK ("identity_pool"."only")
);
--> statement-breakpoint
CREATE TABLE "identity_refresh_token" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"family" uuid NOT NULL,
	"issued" timestamp (3) with time zone NOT NULL,
	"is_first" boolean NOT NULL,
	"rotated" timestamp (3) with time zone,
	"salt" "bytea"
);
--> statement-breakpoint
CREATE TABLE "identity_session" (
	"family" uuid PRIMARY KEY NOT NULL,
	"sub" uuid NOT NULL,
	"device_key" text NOT NULL,
	"signed_in" timestamp (3) with time zone NOT NULL,
	"last_used" timestamp (3) with time zone NOT NULL,
	"expires" timestamp (3) with time zone NOT NULL,
	"revoked" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "identity_throttle" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"last" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone NOT NULL,
	"call" "bytea"
);
--> statement-breakpoint
CREATE TABLE "identity_user" (
	"sub" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"password" text NOT NULL,
	"credential" integer DEFAULT 1 NOT NULL,
	"status" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"groups" text[] DEFAULT '{}' NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"modified" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_user_email" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "identity_device" ADD CONSTRAINT "identity_device_sub_identity_user_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_refresh_token" ADD CONSTRAINT "identity_refresh_token_family_identity_session_family_fk" FOREIGN KEY ("family") REFERENCES "public"."identity_session"("family") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_session" ADD CONSTRAINT "identity_session_sub_identity_user_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identity_refresh_token_of_session" ON "identity_refresh_token" USING btree ("family");--> statement-breakpoint
CREATE INDEX "identity_session_of_user" ON "identity_session" USING btree ("sub");--> statement-breakpoint
CREATE INDEX "identity_session_expiry" ON "identity_session" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "identity_throttle_last" ON "identity_throttle" USING btree ("last");
--> statement-breakpoint
-- Lost in a crash of the server and nothing else is: not worth a sync for every password that is tried.
alter table identity_throttle set unlogged;
--> statement-breakpoint
-- The pool stands before every account, so there is no row security here. The public form has no right on any of it.
grant select, insert on identity_pool to afterword_app;
grant select, insert, update (signs_until), delete on identity_key to afterword_app;
grant select, insert, update, delete on identity_user, identity_session, identity_refresh_token, identity_device, identity_throttle to afterword_app;

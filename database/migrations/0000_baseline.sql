CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"display_name" text NOT NULL,
	"status" text NOT NULL,
	"plan" text,
	"cost" double precision,
	"payment_frequency" text,
	"start_date" timestamp (3) with time zone,
	"billing_date" integer,
	"trial_started_at" timestamp (3) with time zone,
	"trial_ends_at" timestamp (3) with time zone,
	"onboarded_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"account_id" text NOT NULL,
	"id" text collate "C" NOT NULL,
	"property_id" text NOT NULL,
	"form_id" text NOT NULL,
	"form_version" integer NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"rating" smallint NOT NULL,
	"urgent" boolean NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"text" text,
	"converted" timestamp (3) with time zone,
	"responses" jsonb NOT NULL,
	"screen_width" integer,
	"screen_height" integer,
	"url" text,
	CONSTRAINT "feedback_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "feedback_tally" (
	"account_id" text NOT NULL,
	"place" text NOT NULL,
	"quarter" timestamp (0) with time zone NOT NULL,
	"lane" smallint NOT NULL,
	"one" integer NOT NULL,
	"two" integer NOT NULL,
	"three" integer NOT NULL,
	"four" integer NOT NULL,
	"five" integer NOT NULL,
	"urgent" integer NOT NULL,
	CONSTRAINT "feedback_tally_account_id_place_quarter_lane_pk" PRIMARY KEY("account_id","place","quarter","lane")
);
--> statement-breakpoint
CREATE TABLE "form_version" (
	"account_id" text NOT NULL,
	"form_id" text NOT NULL,
	"version" integer NOT NULL,
	"steps" jsonb NOT NULL,
	"invite_to_review" text NOT NULL,
	"saved" timestamp (3) with time zone NOT NULL,
	"saved_by" text NOT NULL,
	CONSTRAINT "form_version_account_id_form_id_version_pk" PRIMARY KEY("account_id","form_id","version")
);
--> statement-breakpoint
CREATE TABLE "form" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"property_id" text NOT NULL,
	"version" integer NOT NULL,
	"closed" timestamp (3) with time zone,
	CONSTRAINT "form_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "form_id_unique" UNIQUE("id"),
	CONSTRAINT "form_of_property" UNIQUE("account_id","property_id","id")
);
--> statement-breakpoint
CREATE TABLE "property" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"author" text NOT NULL,
	"display_name" text NOT NULL,
	"service" jsonb NOT NULL,
	"form_id" text NOT NULL,
	"complaints" text[] NOT NULL,
	"weekly" text[] NOT NULL,
	"deleted" timestamp (3) with time zone,
	CONSTRAINT "property_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "user" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"display_name" text NOT NULL,
	"email_address" text NOT NULL,
	"avatar" text,
	"level" text NOT NULL,
	CONSTRAINT "user_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "view" (
	"account_id" text NOT NULL,
	"property_id" text NOT NULL,
	"form_id" text NOT NULL,
	"day" date NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "view_account_id_form_id_day_pk" PRIMARY KEY("account_id","form_id","day")
);
--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_account_id_property_id_form_id_form_account_id_property_id_id_fk" FOREIGN KEY ("account_id","property_id","form_id") REFERENCES "public"."form"("account_id","property_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_tally" ADD CONSTRAINT "feedback_tally_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_version" ADD CONSTRAINT "form_version_account_id_form_id_form_account_id_id_fk" FOREIGN KEY ("account_id","form_id") REFERENCES "public"."form"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form" ADD CONSTRAINT "form_account_id_property_id_property_account_id_id_fk" FOREIGN KEY ("account_id","property_id") REFERENCES "public"."property"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "property" ADD CONSTRAINT "property_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view" ADD CONSTRAINT "view_account_id_property_id_form_id_form_account_id_property_id_id_fk" FOREIGN KEY ("account_id","property_id","form_id") REFERENCES "public"."form"("account_id","property_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feedback_of_property" ON "feedback" USING btree ("account_id","property_id","id");--> statement-breakpoint
CREATE INDEX "feedback_of_rating" ON "feedback" USING btree ("account_id","rating","id");--> statement-breakpoint
CREATE INDEX "feedback_urgent" ON "feedback" USING btree ("account_id","id") WHERE urgent;--> statement-breakpoint
CREATE UNIQUE INDEX "feedback_key" ON "feedback" USING btree ("account_id","form_id","key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "property_name" ON "property" USING btree ("account_id",lower("display_name")) WHERE deleted is null;--> statement-breakpoint
CREATE INDEX "user_by_id" ON "user" USING btree ("id");
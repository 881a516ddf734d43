CREATE TABLE "subscription" (
	"account_id" text PRIMARY KEY NOT NULL,
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
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- What accounts were signed up for moves over. Their owner may look past row security for that long and no longer.
alter table account no force row level security;
insert into subscription (account_id, status, plan, cost, payment_frequency, start_date, billing_date, trial_started_at, trial_ends_at, onboarded_at)
  select id, status, plan, cost, payment_frequency, start_date, billing_date, trial_started_at, trial_ends_at, onboarded_at from account;
alter table account force row level security;
--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "status";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "plan";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "cost";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "payment_frequency";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "start_date";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "billing_date";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "trial_started_at";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "trial_ends_at";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "onboarded_at";
--> statement-breakpoint
grant select, insert, update, delete on subscription to afterword_app;
alter table subscription enable row level security;
alter table subscription force row level security;
create policy in_scope on subscription to afterword_app using (account_id = current_setting('app.account_id', true));
create policy for_operators on subscription for select to afterword_app using (current_setting('app.operator', true) = 'on');

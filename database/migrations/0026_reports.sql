CREATE TABLE "report" (
	"account_id" text NOT NULL,
	"property_id" text NOT NULL,
	"kind" text NOT NULL,
	"first_day" date NOT NULL,
	"due" timestamp (3) with time zone NOT NULL,
	"made" timestamp (3) with time zone,
	"people" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "report_account_id_property_id_kind_first_day_pk" PRIMARY KEY("account_id","property_id","kind","first_day")
);
--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "daily" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "monthly" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "report" ADD CONSTRAINT "report_account_id_property_id_property_account_id_id_fk" FOREIGN KEY ("account_id","property_id") REFERENCES "public"."property"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_due" ON "report" USING btree ("due","account_id","property_id","kind") WHERE made is null;
--> statement-breakpoint
-- The weekly report that comes next, of places that have somebody on the list. Not even the owner of the tables sees rows past their policies.
alter table property no force row level security;
insert into report (account_id, property_id, kind, first_day, due)
select account_id, id, 'weekly', monday::date, (monday + interval '7 days 7 hours') at time zone zone
  from property,
       lateral (select coalesce(time_zone, 'UTC') as zone) as clock,
       -- Until Monday at seven it is the week before that comes next.
       lateral (select date_trunc('week', now() at time zone zone - interval '7 hours') as monday) as calendar
 where deleted is null and weekly <> '{}';
alter table property force row level security;
--> statement-breakpoint
grant select, insert, delete, update (made, people) on report to afterword_app;
alter table report enable row level security;
alter table report force row level security;
create policy in_scope on report to afterword_app using (account_id = current_setting('app.account_id', true));
-- The job that makes reports learns of every account which are due, and makes them account by account.
create policy looked_over on report for select to afterword_app using (current_setting('app.operator', true) = 'on');

CREATE TABLE "feedback_day" (
	"account_id" text NOT NULL,
	"place" text NOT NULL,
	"day" date NOT NULL,
	"lane" smallint NOT NULL,
	"one" integer NOT NULL,
	"two" integer NOT NULL,
	"three" integer NOT NULL,
	"four" integer NOT NULL,
	"five" integer NOT NULL,
	"reviews" integer NOT NULL,
	CONSTRAINT "feedback_day_account_id_place_day_lane_pk" PRIMARY KEY("account_id","place","day","lane")
);
--> statement-breakpoint
CREATE TABLE "view_quarter" (
	"account_id" text NOT NULL,
	"property_id" text NOT NULL,
	"form_id" text NOT NULL,
	"quarter" timestamp (0) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "view_quarter_account_id_quarter_form_id_pk" PRIMARY KEY("account_id","quarter","form_id")
);
--> statement-breakpoint
ALTER TABLE "feedback_tally" ADD COLUMN "reviews" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "feedback_day" ADD CONSTRAINT "feedback_day_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_quarter" ADD CONSTRAINT "view_quarter_account_id_property_id_form_id_form_account_id_property_id_id_fk" FOREIGN KEY ("account_id","property_id","form_id") REFERENCES "public"."form"("account_id","property_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feedback_said" ON "feedback" USING btree ("account_id","id") WHERE text is not null and suspected is not true and test is not true;--> statement-breakpoint
CREATE INDEX "feedback_said_of_property" ON "feedback" USING btree ("account_id","property_id","id") WHERE text is not null and suspected is not true and test is not true;--> statement-breakpoint
CREATE INDEX "view_of_day" ON "view" USING btree ("account_id","day");--> statement-breakpoint
grant select, insert, update, delete on feedback_day, view_quarter to afterword_app;
grant select, insert, update on feedback_day, view_quarter to afterword_intake;
grant select (converted) on feedback to afterword_intake;
--> statement-breakpoint
-- What is there already. Not even the owner of the tables sees rows past their policies.
do $$
declare name text;
begin
  foreach name in array array['feedback', 'feedback_tally', 'property', 'view'] loop
    execute format('alter table %I no force row level security', name);
  end loop;
end $$;
insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent, suspected, reviews)
select account_id, place, date_bin('15 minutes', created, 'epoch'), -1, 0, 0, 0, 0, 0, 0, 0, count(*)
  from feedback, lateral (values (property_id), (tool_id), (case when not exists (
         select from property where property.account_id = feedback.account_id and property.id = feedback.property_id and deleted is not null
       ) then '' end)) as places (place)
 where place is not null and converted is not null and suspected is not true and test is not true
 group by 1, 2, 3
on conflict (account_id, place, quarter, lane) do update set reviews = excluded.reviews;
insert into feedback_day (account_id, place, day, lane, one, two, three, four, five, reviews)
select account_id, place, (quarter at time zone 'UTC')::date, -1, sum(one), sum(two), sum(three), sum(four), sum(five), sum(reviews)
  from feedback_tally
 group by 1, 2, 3;
-- Until now openings were counted by day: they stand at its beginning.
insert into view_quarter (account_id, property_id, form_id, quarter, count)
select account_id, property_id, form_id, day::timestamp at time zone 'UTC', count from view;
do $$
declare name text;
begin
  foreach name in array array['feedback', 'feedback_tally', 'property', 'view'] loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
--> statement-breakpoint
do $$
declare name text;
begin
  foreach name in array array['feedback_day', 'view_quarter'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy in_scope on %I to afterword_app using (account_id = current_setting(''app.account_id'', true))', name);
    execute format('create policy counted_by_visitors on %I to afterword_intake using (true)', name);
  end loop;
end $$;

ALTER TABLE "feedback_day" ADD COLUMN "urgent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "feedback_day" ADD COLUMN "suspected" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The counts of existing feedback.
insert into feedback_day (account_id, place, day, lane, one, two, three, four, five, reviews, urgent, suspected)
select account_id, place, (quarter at time zone 'UTC')::date, lane, 0, 0, 0, 0, 0, 0, sum(urgent), sum(suspected)
  from feedback_tally
 where urgent <> 0 or suspected <> 0
 group by 1, 2, 3, 4
on conflict (account_id, place, day, lane) do update set urgent = excluded.urgent, suspected = excluded.suspected;

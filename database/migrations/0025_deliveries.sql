CREATE TABLE "delivery_attempt" (
	"delivery_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"error" text,
	CONSTRAINT "delivery_attempt_delivery_id_at_pk" PRIMARY KEY("delivery_id","at")
);
--> statement-breakpoint
ALTER TABLE "delivery" ADD COLUMN "mail" text;--> statement-breakpoint
ALTER TABLE "delivery" ADD COLUMN "sealed" "bytea";--> statement-breakpoint
ALTER TABLE "delivery" ADD COLUMN "retried" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_delivery_id_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."delivery"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_open" ON "delivery" USING btree ("status","created") WHERE status <> 'sent';
--> statement-breakpoint
grant update (sealed, retried) on delivery to afterword_app;
create policy retried on delivery for update to afterword_app
  using (account_id = current_setting('app.account_id', true) and exists (
    select from "user"
     where "user".account_id = delivery.account_id and "user".id = current_setting('app.user_id', true) and "user".level = 'admin'))
  with check (status = 'queued');
-- Whoever sees a delivery sees its tries; the job that works on it adds them.
grant select, insert on delivery_attempt to afterword_app;
alter table delivery_attempt enable row level security;
alter table delivery_attempt force row level security;
create policy of_delivery on delivery_attempt for select to afterword_app
  using (exists (select from delivery where delivery.id = delivery_attempt.delivery_id));
create policy tried on delivery_attempt for insert to afterword_app with check (delivery_id = current_setting('app.delivery_id', true));

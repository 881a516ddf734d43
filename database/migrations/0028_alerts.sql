CREATE TABLE "alert_link" (
	"account_id" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	"user_id" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"used" timestamp (3) with time zone,
	CONSTRAINT "alert_link_account_id_hash_pk" PRIMARY KEY("account_id","hash")
);
--> statement-breakpoint
CREATE TABLE "alert_recipient" (
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"recent" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"digest" timestamp (3) with time zone,
	"digested" timestamp (3) with time zone,
	CONSTRAINT "alert_recipient_account_id_user_id_pk" PRIMARY KEY("account_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "alert" (
	"account_id" text NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	"user_id" text NOT NULL,
	"property_id" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"due" timestamp (3) with time zone,
	"held" text,
	"told" timestamp (3) with time zone,
	"delivery_id" text,
	"said" "bytea",
	CONSTRAINT "alert_account_id_feedback_id_user_id_pk" PRIMARY KEY("account_id","feedback_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "alert_escalation" (
	"account_id" text NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	"property_id" text NOT NULL,
	"step" integer NOT NULL,
	"due" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alert_escalation_account_id_feedback_id_pk" PRIMARY KEY("account_id","feedback_id")
);
--> statement-breakpoint
ALTER TABLE "delivery" ADD COLUMN "taken" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "alerts" jsonb;--> statement-breakpoint
ALTER TABLE "alert_link" ADD CONSTRAINT "alert_link_account_id_feedback_id_user_id_alert_account_id_feedback_id_user_id_fk" FOREIGN KEY ("account_id","feedback_id","user_id") REFERENCES "public"."alert"("account_id","feedback_id","user_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "alert_recipient" ADD CONSTRAINT "alert_recipient_account_id_user_id_user_account_id_id_fk" FOREIGN KEY ("account_id","user_id") REFERENCES "public"."user"("account_id","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_account_id_feedback_id_feedback_account_id_id_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."feedback"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_account_id_user_id_user_account_id_id_fk" FOREIGN KEY ("account_id","user_id") REFERENCES "public"."user"("account_id","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "alert_escalation" ADD CONSTRAINT "alert_escalation_account_id_feedback_id_feedback_account_id_id_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."feedback"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_link_until" ON "alert_link" USING btree ("until");--> statement-breakpoint
CREATE INDEX "alert_link_of" ON "alert_link" USING btree ("account_id","feedback_id","user_id");--> statement-breakpoint
CREATE INDEX "alert_due" ON "alert" USING btree ("due") WHERE due is not null;--> statement-breakpoint
CREATE INDEX "alert_of_user" ON "alert" USING btree ("account_id","user_id","due");--> statement-breakpoint
CREATE INDEX "alert_created" ON "alert" USING btree ("created");--> statement-breakpoint
CREATE INDEX "alert_escalation_due" ON "alert_escalation" USING btree ("due");
--> statement-breakpoint
do $$
declare name text;
begin
  foreach name in array array['alert', 'alert_recipient', 'alert_link', 'alert_escalation'] loop
    execute format('grant select, insert, update, delete on %I to afterword_app', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy in_scope on %I to afterword_app using (account_id = current_setting(''app.account_id'', true))', name);
  end loop;
end $$;
-- Who looks for what is due learns of every account whom it concerns, and decides account by account. What is over is forgotten.
create policy looked_over on alert for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy looked_over on alert_escalation for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy looked_over on alert_link for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy forgotten on alert for delete to afterword_app using (current_setting('app.operator', true) = 'on' and due is null);
create policy forgotten on alert_link for delete to afterword_app using (current_setting('app.operator', true) = 'on');
--> statement-breakpoint
-- What nobody is handing over can be taken back by whoever names this very delivery.
grant update (taken) on delivery to afterword_app;
create policy withdrawn on delivery for delete to afterword_app using (
  id = current_setting('app.delivery_id', true) and status = 'queued' and taken is null);

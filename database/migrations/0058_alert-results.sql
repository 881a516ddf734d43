ALTER TABLE "alert" DROP CONSTRAINT "alert_lengths";--> statement-breakpoint
ALTER TABLE "alert" DROP CONSTRAINT "alert_values";--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "result" text;--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "opened_by" text;--> statement-breakpoint
-- A held alert has its time, so it needs no result.
update alert set
  result = case when decision like 'already opened by %' then 'opened'
                when decision is null and told is not null then 'sent'
                when decision is null and due is null then 'no-longer-urgent'
                when decision not like 'held: %' and decision not like 'over %' then replace(replace(decision, 'in a', 'in'), ' ', '-') end,
  opened_by = (select id from "user" where account_id = alert.account_id and decision = 'already opened by ' || display_name limit 1);--> statement-breakpoint
ALTER TABLE "alert" DROP COLUMN "decision";--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_lengths" CHECK (greatest(length("alert"."account_id"), length("alert"."feedback_id"), length("alert"."user_id"), length("alert"."property_id"), length("alert"."message_id"), length("alert"."delivery_id"), length("alert"."digest_id"), length("alert"."opened_by")) <= 4000) NOT VALID;--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_values" CHECK ("alert"."reason" in ('listed', 'escalated') and "alert"."held" in ('quiet', 'hour') and "alert"."result" in ('sent', 'sent-in-digest', 'deleted', 'suspected', 'no-longer-urgent', 'opened')) NOT VALID;
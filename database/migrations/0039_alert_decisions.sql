ALTER TABLE "alert" DROP CONSTRAINT "alert_lengths";--> statement-breakpoint
DROP INDEX "notification_unread";--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "decision" text;--> statement-breakpoint
CREATE INDEX "notification_unread" ON "notification" USING btree ("account_id","user_id","created","id") WHERE read is null;--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_lengths" CHECK (greatest(length("alert"."account_id"), length("alert"."feedback_id"), length("alert"."user_id"), length("alert"."property_id"), length("alert"."delivery_id"), length("alert"."decision")) <= 4000) NOT VALID;

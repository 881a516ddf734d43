ALTER TABLE "feedback" DROP CONSTRAINT "feedback_lengths";--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "order_number" text;--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "receipt_secret" "bytea";--> statement-breakpoint
CREATE INDEX "feedback_of_order" ON "feedback" USING btree ("account_id","order_number") WHERE order_number is not null;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_lengths" CHECK (greatest(length("feedback"."account_id"), length("feedback"."id"), length("feedback"."property_id"), length("feedback"."form_id"), length("feedback"."url"), length("feedback"."user_id"), length("feedback"."status_by"), length("feedback"."assignee"), length("feedback"."tool_id")) <= 4000 and greatest(length("feedback"."text")) <= 2000 and greatest(length("feedback"."order_number")) <= 40 and pg_column_size("feedback"."tags") <= 1000000 and array_position("feedback"."tags", null) is null) NOT VALID;--> statement-breakpoint
-- Visitors' answers are checked with the secret.
grant select (receipt_secret) on property to afterword_intake;

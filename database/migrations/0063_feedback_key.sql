DROP INDEX "feedback_key";--> statement-breakpoint
CREATE UNIQUE INDEX "feedback_key" ON "feedback" USING btree ("key_hash","form_id","account_id");
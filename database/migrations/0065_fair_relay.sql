DROP INDEX "event_waiting";--> statement-breakpoint
CREATE INDEX "event_waiting" ON "event" USING btree ("account_id","id") WHERE not relayed;
ALTER TABLE "property" DROP CONSTRAINT "property_times";--> statement-breakpoint
ALTER TABLE "property" DROP CONSTRAINT "property_values";--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "retention" smallint;--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "erased_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "feedback_asking" ON "feedback" USING btree ("account_id","id") WHERE kind = 'contact me';--> statement-breakpoint
ALTER TABLE "property" ADD CONSTRAINT "property_times" CHECK (least("property"."created", "property"."erased_until", "property"."deleted") >= '1970-01-01 00:00:00+00' and greatest("property"."created", "property"."erased_until", "property"."deleted") < '10000-01-01 00:00:00+00') NOT VALID;--> statement-breakpoint
ALTER TABLE "property" ADD CONSTRAINT "property_values" CHECK (jsonb_typeof("property"."service") = 'array' and jsonb_typeof("property"."alerts") = 'object' and "property"."retention" between 1 and 120) NOT VALID;
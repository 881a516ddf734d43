ALTER TABLE "alert" DROP CONSTRAINT "alert_times";--> statement-breakpoint
ALTER TABLE "notification" DROP CONSTRAINT "notification_values";--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "asked" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_times" CHECK (least("alert"."created", "alert"."due", "alert"."told", "alert"."asked") >= '1970-01-01 00:00:00+00' and greatest("alert"."created", "alert"."due", "alert"."told", "alert"."asked") < '10000-01-01 00:00:00+00') NOT VALID;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_values" CHECK ("notification"."kind" in ('urgent', 'contact', 'unopened', 'mention', 'assigned', 'webhook')) NOT VALID;
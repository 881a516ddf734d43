ALTER TABLE "webhook_delivery" ADD COLUMN "is_under_way" boolean DEFAULT false NOT NULL;--> statement-breakpoint
grant update (is_under_way) on webhook_delivery to afterword_app;

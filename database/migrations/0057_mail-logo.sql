ALTER TABLE "brand" DROP CONSTRAINT "brand_values";--> statement-breakpoint
ALTER TABLE "brand" ADD COLUMN "mail_logo" jsonb;--> statement-breakpoint
ALTER TABLE "brand" ADD CONSTRAINT "brand_values" CHECK ("brand"."corners" in ('square', 'soft', 'round') and jsonb_typeof("brand"."logo") = 'object' and jsonb_typeof("brand"."mail_logo") = 'object') NOT VALID;
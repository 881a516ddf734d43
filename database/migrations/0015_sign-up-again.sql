ALTER TABLE "identity_user" DROP CONSTRAINT "identity_user_email";--> statement-breakpoint
ALTER TABLE "identity_code" ADD COLUMN "former" uuid;--> statement-breakpoint
CREATE INDEX "identity_user_email" ON "identity_user" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_user_owner" ON "identity_user" USING btree ("email") WHERE "identity_user"."status" <> 'UNCONFIRMED';--> statement-breakpoint
CREATE UNIQUE INDEX "identity_user_waiting" ON "identity_user" USING btree ("email") WHERE "identity_user"."status" = 'UNCONFIRMED';
ALTER TABLE "delivery" ADD COLUMN "sub" uuid;--> statement-breakpoint
-- Mails sent before this, as far as their address still tells whose they are.
update delivery set sub = (select sub from identity_user where email = delivery."to" order by status = 'UNCONFIRMED' limit 1)
 where account_id is null;--> statement-breakpoint
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_sub_identity_user_sub_fk" FOREIGN KEY ("sub") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_of_person" ON "delivery" USING btree ("sub") WHERE sub is not null;
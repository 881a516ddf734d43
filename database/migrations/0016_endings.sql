ALTER TABLE "identity_invitation" ADD COLUMN "accepted_as" uuid;--> statement-breakpoint
ALTER TABLE "identity_session" ADD COLUMN "ended_by" text;--> statement-breakpoint
ALTER TABLE "identity_invitation" ADD CONSTRAINT "identity_invitation_accepted_as_identity_user_sub_fk" FOREIGN KEY ("accepted_as") REFERENCES "public"."identity_user"("sub") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identity_invitation_accepted_as" ON "identity_invitation" USING btree ("accepted_as");
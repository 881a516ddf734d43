-- What operators did becomes a part of the one record, in its order.
alter table audit_entry no force row level security;
alter table event no force row level security;
insert into event (account_id, at, name, subject, actor, data, relayed)
  select 'INSTALLATION', at, act, subject, by,
         case act when 'account.deleted' then jsonb_build_object('reason', detail) else jsonb_build_object('search', detail) end, true
    from audit_entry order by id;
alter table event force row level security;
--> statement-breakpoint
DROP TABLE "audit_entry" CASCADE;

-- remit: statements
-- The audit log is narrowed down by who, what and when.
create index concurrently if not exists audit_entry_by_actor on audit_entry (actor_id, id desc);
create index concurrently if not exists audit_entry_by_action on audit_entry (merchant_id, action, id desc);
create index concurrently if not exists audit_entry_by_time on audit_entry (merchant_id, at);

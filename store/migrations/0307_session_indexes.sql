-- remit: statements
-- Unused sessions that may be removed: those that are kept for their former ones are not read again in every pass.
create index concurrently if not exists checkout_session_removable on checkout_session (expires_at)
  where invoice_id is null and not keeps_former;
drop index concurrently if exists checkout_session_unused;
-- The newest sessions of a price that money may have come for.
create index concurrently if not exists checkout_session_chosen on checkout_session (price_id, created_at desc)
  where invoice_id is not null;

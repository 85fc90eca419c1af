-- Anybody with a publishable key can make sessions: those in which nobody chose are removed when they are
-- no longer shown.
create index checkout_session_unused on checkout_session (expires_at) where invoice_id is null;
select allow('{worker}', '{select}', '{table checkout_session}', '{id, invoice_id, expires_at}');
select allow('{worker}', '{delete}', '{table checkout_session}');

-- An unused session that has a reference, and whose former one has an invoice, stays: by it, money that comes late for the
-- former is found. It may be removed once another session has taken the reference and names the former itself.
alter table checkout_session add column keeps_former boolean not null default false;
update checkout_session s set keeps_former = true from checkout_session f
where s.former_id is not null and f.id = s.former_id and f.invoice_id is not null;
select allow('{api}', '{update}', '{table checkout_session}', '{keeps_former}');
select allow('{worker}', '{select}', '{table checkout_session}', '{keeps_former}');

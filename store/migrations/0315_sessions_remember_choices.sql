-- What the payer has chosen: another tab, or the same page later, doesn't ask for network and language again.
alter table checkout_session add column network_id text, add column locale text;
select allow('{api}', '{update}', '{table checkout_session}', '{network_id, locale}');

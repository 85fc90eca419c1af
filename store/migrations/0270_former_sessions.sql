-- Another session for a reference whose former one had ended without any money. The former gives the reference up, so
-- that it still has one session at most, and is named: without a foreign key, because unused sessions are removed.
alter table checkout_session add column former_id text;
select allow('{api}', '{update}', '{table checkout_session}', '{client_reference}');

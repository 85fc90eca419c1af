-- From where a payer's choice came: the client's address under the key of the sessions, which names it again and
-- shows it to nobody. Null for what was chosen before, and for what the merchant made.
alter table checkout_session_invoice add column client_tag text check (length(client_tag) <= 64);
select allow('{api}', '{insert}', '{table checkout_session_invoice}', '{client_tag}');

-- The wider networks that a payer's choice came from, named like the client: who is given a network of IPv6 has
-- any number of clients. Null for what was chosen before, and for what the merchant made.
alter table checkout_session_invoice add column network_tags text[]
  check (cardinality(network_tags) <= 3 and length(array_to_string(network_tags, '')) <= 192);
select allow('{api}', '{insert}', '{table checkout_session_invoice}', '{network_tags}');

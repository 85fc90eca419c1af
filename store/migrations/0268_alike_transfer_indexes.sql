-- remit: statements
-- Those alike in a transaction get places of their own: which of them has which is all the same.
update external_refund r set alike_place = a.place from (
  select id, row_number() over (
    partition by network_id, tx_hash, token, sender, recipient, amount order by log_place) - 1 as place
  from external_refund where status <> 'failed' and log_place is not null
) a where a.id = r.id and a.place > 0 and r.alike_place <> a.place;
-- A transfer is one refund, of one invoice, in the whole deployment.
create unique index concurrently if not exists external_refund_alike_once
  on external_refund (network_id, tx_hash, token, sender, recipient, amount, alike_place)
  where status <> 'failed';
alter table external_refund validate constraint external_refund_alike_place;

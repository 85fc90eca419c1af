-- A registry entry belongs to one hub: deposits and forwarders keep the hub that they were made for, and
-- after a change of hub both registries are needed. Entries from before belong to the hub that their
-- transaction called; those without one, to the hub of what they were queued for.
update work_item w set
  dedupe_key = 'configure:' || w.network_id || ':' || entry.hub || ':' || entry.merchant_id || ':'
    || (w.payload->>'version'),
  payload = w.payload || jsonb_build_object('hub', entry.hub)
from (
  select c.id, c.payload->>'merchantId' as merchant_id, coalesce(
    (select t.target from relayer_tx t where t.id = c.tx_id),
    (select i.hub from work_item s
      join settlement on settlement.id = (s.payload->>'settlementId')::uuid
      join invoice i on i.id = settlement.invoice_id
      where s.waits_for = c.id and s.kind = 'sweep' limit 1),
    (select f.hub from forwarder f where f.merchant_id = (c.payload->>'merchantId')::uuid),
    (select i.hub from invoice i where i.merchant_id = (c.payload->>'merchantId')::uuid
      order by i.created_at desc limit 1)) as hub
  from work_item c where c.kind = 'configure'
) entry
where w.id = entry.id and entry.hub is not null;

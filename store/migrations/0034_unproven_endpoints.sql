-- Webhooks can't be turned on somebody who never asked for them. A URL that has not answered with 2xx yet
-- gets one webhook a minute, and what is replayed is capped for each destination, over all merchants.

alter table webhook_endpoint
  -- When the URL first answered with 2xx; null before.
  add column proven_at timestamptz,
  -- Host and port of the URL, as they are connected to.
  add column destination text not null default '',
  -- Until when replays of this endpoint use up what its destination takes.
  add column replayed_until timestamptz;

-- What worked so far goes on working; host names in other spellings count by themselves.
update webhook_endpoint e set
  destination = lower(substring(url from '^[a-zA-Z]+://([^/?#]+)')),
  proven_at = (
    select d.finished_at from webhook_delivery d
    where d.endpoint_id = e.id and d.state = 'succeeded' limit 1);
create index webhook_endpoint_by_destination on webhook_endpoint (destination, replayed_until);

-- Of an endpoint whose URL is not proven: when the next webhook may be sent. It outlives the lease.
alter table webhook_lease add column next_probe_at timestamptz;

select allow('{api}', '{select, update}', '{table webhook_endpoint}',
  '{proven_at, destination, replayed_until}');
select allow('{api}', '{insert}', '{table webhook_endpoint}', '{destination}');
select allow('{notifier}', '{update}', '{table webhook_endpoint}', '{proven_at}');

-- A channel may be older than what is known of it: earlier deposits, claims and withdrawals have no events here. What
-- the chain says of it at one block is read once, and only events after that block are added.
alter table x402_channel
  add column base_balance numeric(78, 0),
  add column base_claimed numeric(78, 0),
  add column base_withdraw_amount numeric(78, 0),
  add column base_withdraw_at timestamptz,
  -- After which block it was so; null while nothing was read.
  add column base_block bigint,
  -- Null while it is to be read: for the first time, or again, because another block has taken that one's place.
  add column base_hash text,
  add constraint x402_channel_base check (base_balance >= 0 and base_claimed >= 0
    and base_withdraw_amount >= 0 and base_hash ~ '^0x[0-9a-f]{64}$') not valid;

-- Registers channels that pay merchants, whoever comes across them first.
create function register_channels(on_network text, wanted json) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into x402_channel (network_id, channel_id, merchant_id, payer, payer_authorizer, receiver,
    receiver_authorizer, token, withdraw_delay, salt)
  select on_network, c."channelId", coalesce(f.merchant_id, o.merchant_id), c.payer,
    c."payerAuthorizer", c.receiver, c."receiverAuthorizer", c.token, c."withdrawDelay", c.salt
  from json_to_recordset(wanted) as c ("channelId" text, payer text, "payerAuthorizer" text,
    receiver text, "receiverAuthorizer" text, token text, "withdrawDelay" integer, salt text)
  left join forwarder f on f.address = c.receiver
  left join x402_own_address o on o.address = c.receiver and o.removed_at is null
    and coalesce(o.network_id, '') in ('', on_network)
  where coalesce(f.merchant_id, o.merchant_id) is not null
  order by c."channelId"
  on conflict do nothing
$$;
select allow('{api, worker}', '{execute}', '{"function register_channels(text, json)"}');

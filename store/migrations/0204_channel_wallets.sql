-- Work that asks a contract for a signature says so: what fails of it may have burnt our gas on purpose.
create or replace function claim_channel_action(action json, known_channels json) returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  claimed uuid;
  asked record;
begin
  select * into asked from json_to_record(action) as a (id uuid, network_id text, merchant_id uuid,
    kind text, action_key text, receiver text, token text, payer text, authorization_nonce text,
    valid_before numeric, amount numeric, channels jsonb, calldata text, gas integer,
    claimed_block bigint, is_alone boolean);
  if not exists (select from forwarder f
      where f.address = asked.receiver and f.merchant_id = asked.merchant_id)
    and not is_own_address(asked.merchant_id, asked.receiver, asked.network_id) then
    raise exception 'the receiver is not the merchant''s';
  end if;
  insert into x402_channel (network_id, channel_id, merchant_id, payer, payer_authorizer, receiver,
    receiver_authorizer, token, withdraw_delay, salt)
  select asked.network_id, c.channel_id, asked.merchant_id, c.payer, c.payer_authorizer,
    asked.receiver, c.receiver_authorizer, asked.token, c.withdraw_delay, c.salt
  from json_to_recordset(known_channels) as c (channel_id text, payer text, payer_authorizer text,
    receiver_authorizer text, withdraw_delay integer, salt text)
  order by c.channel_id
  on conflict do nothing;
  insert into x402_channel_action as a (id, network_id, merchant_id, kind, action_key, receiver,
    token, payer, authorization_nonce, valid_before, amount, channels, calldata, gas, claimed_block)
  values (asked.id, asked.network_id, asked.merchant_id, asked.kind, asked.action_key,
    asked.receiver, asked.token, asked.payer, asked.authorization_nonce, asked.valid_before,
    asked.amount, asked.channels, asked.calldata, asked.gas, asked.claimed_block)
  on conflict (network_id, action_key) do update set status = 'pending', reason = null,
    amount = excluded.amount, valid_before = excluded.valid_before,
    calldata = excluded.calldata, gas = excluded.gas, claimed_block = excluded.claimed_block
  where a.status = 'failed'
  returning a.id into claimed;
  if claimed is null then
    return (select a.id from x402_channel_action a
      where a.network_id = asked.network_id and a.action_key = asked.action_key);
  end if;
  insert into work_item (network_id, kind, dedupe_key, payload, batch_limit)
  values (asked.network_id, 'x402_channel', 'channel:' || asked.network_id || ':' || asked.action_key,
    jsonb_strip_nulls(jsonb_build_object('actionId', claimed,
      'asksContract', nullif(asked.is_alone, false))),
    case when asked.is_alone then 1 else 100 end)
  on conflict (dedupe_key) do update set state = 'queued', tx_id = null, log_index = null,
    result = null, tries = 0, batch_limit = excluded.batch_limit, not_before = now(),
    payload = excluded.payload,
    updated_at = now()
  where work_item.state in ('failed', 'review', 'held');
  return claimed;
end $$;

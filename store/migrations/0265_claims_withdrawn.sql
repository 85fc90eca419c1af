-- A claim that no transaction has ever carried can be withdrawn, so that its callers are told that nothing was begun.

-- The newest transaction that has ever carried an item: it stays when the item is queued again, because bytes of that
-- transaction may still be about. Null means that nothing was ever signed for it.
alter table work_item add column carried_by bigint;

create function note_carrier() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.carried_by := new.tx_id;
  return new;
end $$;
create trigger work_item_carried before update of tx_id on work_item for each row
  when (new.tx_id is not null) execute function note_carrier();

-- What is open now may have been carried before it was queued again: 0 says that it is unknown by what.
update work_item set carried_by = coalesce(tx_id, 0)
where state in ('queued', 'assigned', 'held') and kind in ('x402', 'x402_wallet', 'x402_channel');

-- What a caller has asked for and no worker: that alone may be withdrawn.
alter table x402_channel_action add column is_withdrawable boolean not null default false;

-- Claims what is new, and again what has failed, on the same terms and for the same merchant: an address that has moved
-- to another merchant pays that one, and what was begun for the former one is not taken up again.
create or replace function claim_authorizations(claims json)
returns table (id uuid, network_id text, asset text, payer text, authorization_nonce text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with given as materialized (
    select given.*, f.address is null as direct from json_to_recordset(claims) as given (
      id uuid, merchant_id uuid, endpoint_id uuid, network_id text, asset text, payer text,
      authorization_nonce text, pay_to text, amount numeric, valid_after numeric,
      valid_before numeric, signature text, is_wallet boolean, payer_code text,
      claimed_block bigint, is_alone boolean, fee_owed numeric, scheme text, permit_hub text,
      permit_nonce numeric, permitted numeric, permit2612 text)
    left join forwarder f on f.address = given.pay_to and f.merchant_id = given.merchant_id
    where f.address is not null
      or is_own_address(given.merchant_id, given.pay_to, given.network_id)
  ), claimed as (
    insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
      authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet,
      payer_code, claimed_block, direct, fee_owed, scheme, permit_hub, permit_nonce, permitted,
      permit2612)
    select id, merchant_id, endpoint_id, network_id, asset, payer, authorization_nonce, pay_to,
      amount, valid_after, valid_before, signature, is_wallet, payer_code, claimed_block, direct,
      case when direct then coalesce(fee_owed, 0) else 0 end, coalesce(scheme, 'exact'), permit_hub,
      permit_nonce, permitted, permit2612
    from given
    order by authorization_nonce, payer
    on conflict on constraint x402_payment_claim do update set
      status = 'pending', reason = null, version = x402_payment.version + 1,
      signature = excluded.signature, is_wallet = excluded.is_wallet,
      payer_code = excluded.payer_code, permit2612 = excluded.permit2612
    where x402_payment.status = 'failed'
      and x402_payment.merchant_id = excluded.merchant_id
      and x402_payment.pay_to = excluded.pay_to and x402_payment.amount = excluded.amount
      and x402_payment.valid_after = excluded.valid_after
      and x402_payment.valid_before = excluded.valid_before
      and x402_payment.endpoint_id is not distinct from excluded.endpoint_id
      and x402_payment.scheme = excluded.scheme
      and x402_payment.permit_hub is not distinct from excluded.permit_hub
      and x402_payment.permit_nonce is not distinct from excluded.permit_nonce
      and x402_payment.permitted is not distinct from excluded.permitted
    returning id, network_id, asset, payer, authorization_nonce
  ), work as (
    insert into work_item (network_id, kind, dedupe_key, payload, batch_limit, not_before)
    select network_id, case when is_wallet then 'x402_wallet' else 'x402' end,
      'x402:' || network_id || ':' || asset || ':' || payer || ':' || authorization_nonce,
      jsonb_build_object('paymentId', c.id), case when is_alone then 1 else 100 end,
      -- The payer's pause may have begun since it was examined.
      greatest(now(), (select b.until from x402_wallet_pause b
        where is_wallet and b.network_id = c.network_id and b.payer = c.payer))
    from given join claimed c using (network_id, asset, payer, authorization_nonce)
    on conflict (dedupe_key) do update set
      state = 'queued', kind = excluded.kind, tx_id = null, log_index = null, result = null,
      tries = 0, batch_limit = excluded.batch_limit, not_before = excluded.not_before,
      updated_at = now()
    where work_item.state in ('failed', 'review', 'held')
  )
  select id, network_id, asset::text, payer::text, authorization_nonce::text from claimed;
end $$;

-- The same for channels: what has failed can be requested again for the same merchant alone.
create or replace function claim_channel_action(action json, known_channels json) returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  claimed uuid;
  asked record;
begin
  select * into asked from json_to_record(action) as a (id uuid, network_id text, merchant_id uuid,
    kind text, action_key text, receiver text, token text, payer text, authorization_nonce text,
    valid_before numeric, amount numeric, channels jsonb, calldata text, gas integer,
    claimed_block bigint, is_alone boolean, is_withdrawable boolean);
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
    token, payer, authorization_nonce, valid_before, amount, channels, calldata, gas, claimed_block,
    is_withdrawable)
  values (asked.id, asked.network_id, asked.merchant_id, asked.kind, asked.action_key,
    asked.receiver, asked.token, asked.payer, asked.authorization_nonce, asked.valid_before,
    asked.amount, asked.channels, asked.calldata, asked.gas, asked.claimed_block,
    coalesce(asked.is_withdrawable, false))
  on conflict (network_id, action_key) do update set status = 'pending', reason = null,
    amount = excluded.amount, valid_before = excluded.valid_before,
    calldata = excluded.calldata, gas = excluded.gas, claimed_block = excluded.claimed_block,
    is_withdrawable = excluded.is_withdrawable
  where a.status = 'failed' and a.merchant_id = excluded.merchant_id
  returning a.id into claimed;
  if claimed is null then
    -- What a worker wants as well is no longer its caller's to withdraw.
    update x402_channel_action a set is_withdrawable = false
    where a.network_id = asked.network_id and a.action_key = asked.action_key
      and a.is_withdrawable and not coalesce(asked.is_withdrawable, false);
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

-- Whether an item that nothing has ever carried has waited for long enough: callers choose their own deadlines, and
-- those who choose short ones must not take out of a batch what is about to be signed. What is past its time has.
create function may_withdraw(item work_item, valid_before numeric) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select item.carried_by is null and item.state <> 'assigned'
    and (item.updated_at <= clock_timestamp() - interval '10 seconds'
      or coalesce(valid_before <= extract(epoch from clock_timestamp()), false))
$$;

-- Withdraws a claim for which nothing was ever signed, and with it what it promised. It locks the item before the
-- payment, as every change of both does: a batch that holds the item keeps it. A payment that is new leaves no trace;
-- one that has failed before has failed again. No event is told of it. False when it can't be withdrawn (now).
create function withdraw_claim(payment uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  item work_item;
  claimed x402_payment;
begin
  select w.* into item from work_item w
  where w.dedupe_key = (select 'x402:' || p.network_id || ':' || p.asset || ':' || p.payer || ':'
      || p.authorization_nonce from x402_payment p where p.id = payment)
  for update;
  select p.* into claimed from x402_payment p where p.id = payment for update;
  if item.id is null or claimed.id is null or claimed.status <> 'pending'
    or not may_withdraw(item, claimed.valid_before) then
    return false;
  end if;
  if claimed.version = 1 then
    delete from work_item w where w.id = item.id;
    delete from x402_payment p where p.id = payment;
  else
    update work_item w set state = 'failed', updated_at = now() where w.id = item.id;
    update x402_payment p set status = 'failed', reason = 'unexpected_settle_error'
    where p.id = payment;
  end if;
  perform pg_notify('x402_decided', payment::text);
  return true;
end $$;

-- The same for an action of channels, which has failed then and can be requested again.
create function withdraw_channel_action(action uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  item work_item;
  claimed x402_channel_action;
begin
  select w.* into item from work_item w
  where w.dedupe_key = (select 'channel:' || a.network_id || ':' || a.action_key
    from x402_channel_action a where a.id = action)
  for update;
  select a.* into claimed from x402_channel_action a where a.id = action for update;
  if item.id is null or claimed.id is null or claimed.status <> 'pending'
    or not claimed.is_withdrawable or not may_withdraw(item, claimed.valid_before) then
    return false;
  end if;
  update work_item w set state = 'failed', updated_at = now() where w.id = item.id;
  update x402_channel_action a set status = 'failed', reason = 'unexpected_settle_error'
  where a.id = action;
  perform pg_notify('x402_decided', action::text);
  return true;
end $$;

select allow('{api}', '{execute}',
  '{function withdraw_claim(uuid), function withdraw_channel_action(uuid)}');

-- x402's payment channels (scheme "batch-settlement"): what they are, what was asked of them, and what the
-- contract's events say.

create table x402_channel (
  network_id text not null,
  channel_id evm_hash not null,
  merchant_id uuid not null references merchant (id),
  payer evm_address not null,
  payer_authorizer evm_address not null,
  receiver evm_address not null,
  receiver_authorizer evm_address not null,
  token evm_address not null,
  withdraw_delay integer not null check (withdraw_delay between 900 and 2592000),
  salt evm_hash not null,
  -- What the events say, derived anew from all of them.
  balance base_units not null default 0,
  total_claimed base_units not null default 0,
  refunds integer not null default 0,
  -- A withdrawal that the payer has begun, and when it can be ended; null for none.
  withdraw_amount numeric(78, 0),
  withdraw_at timestamptz,
  -- Grows with every change of what is above.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (network_id, channel_id)
);
create index x402_channel_of_merchant
  on x402_channel (merchant_id, created_at desc, channel_id desc);
create index x402_channel_withdrawing on x402_channel (network_id, withdraw_at)
  where withdraw_at is not null;

-- One thing that was asked for: a deposit, a batch of claims, paying a receiver out, or a refund.
create table x402_channel_action (
  id uuid primary key,
  network_id text not null,
  merchant_id uuid not null,
  kind text not null check (kind in ('deposit', 'claim', 'settle', 'refund')),
  -- What makes it this one and no other: asked for again, it is the same row.
  action_key text not null,
  receiver evm_address not null,
  token evm_address not null,
  -- The payer of a deposit; null for the others.
  payer evm_address,
  -- Of a deposit's authorization.
  authorization_nonce evm_hash,
  valid_before base_units,
  -- What is deposited or asked back; what is claimed or paid out when it was asked for.
  amount positive_units not null,
  -- The channels, with what is claimed of each: [{"channelId", "totalClaimed"}].
  channels jsonb not null,
  calldata text not null check (calldata ~ '^0x[0-9a-f]*$'),
  gas integer not null check (gas > 0),
  status text not null default 'pending' check (status in ('pending', 'settled', 'failed')),
  reason text,
  tx_hash evm_hash,
  log_index integer,
  block_number bigint,
  block_hash evm_hash,
  -- What its event says was moved.
  moved base_units,
  -- The chain's head when it was asked for.
  claimed_block bigint not null,
  -- Who is writing out a deposit's one success, until when, and when it was written.
  answer_owner uuid,
  answer_until timestamptz,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  confirmed_at timestamptz,
  unique (network_id, action_key),
  check ((status = 'settled') = (tx_hash is not null)),
  check ((status = 'failed') = (reason is not null))
);
create index x402_channel_action_of_merchant on x402_channel_action (merchant_id, created_at desc);
create index x402_channel_deposits on x402_channel_action (network_id, token, payer)
  where kind = 'deposit' and status <> 'failed' and confirmed_at is null;

-- The contract's events about known channels and receivers, at the chain's confirmations.
create table x402_channel_event (
  network_id text not null,
  tx_hash evm_hash not null,
  log_index integer not null,
  block_number bigint not null,
  block_hash evm_hash not null,
  block_time timestamptz not null,
  name text not null check (name in
    ('Deposited', 'Claimed', 'Refunded', 'WithdrawInitiated', 'WithdrawFinalized', 'Settled')),
  -- Null for Settled, which is of a receiver.
  channel_id evm_hash,
  receiver evm_address,
  token evm_address,
  amount base_units not null,
  -- The channel's new balance, or the new total of its claims.
  total base_units,
  -- Unix time from which a withdrawal can be ended.
  withdraw_at bigint,
  primary key (network_id, tx_hash, log_index)
);
create index x402_channel_event_of_channel
  on x402_channel_event (network_id, channel_id, block_number, log_index);
create index x402_channel_event_by_block on x402_channel_event (network_id, block_number);

-- Up to which block the events are booked.
alter table chain_state add column channels_block bigint;

-- What channels have paid out to a receiver is a payment like others, settled by their contract.
alter table x402_payment add column from_channels boolean not null default false;

-- One more kind of work, beside those that there are by now.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint
    where conname = 'work_item_kind_check');
begin
  alter table work_item drop constraint work_item_kind_check;
  execute 'alter table work_item add constraint work_item_kind_check '
    || replace(kinds, '''configure''::text', '''configure''::text, ''x402_channel''::text');
end $$;

-- Asks for an action, once: it is stored with its channels and its work. One that failed is asked for anew.
-- The answer is its id, also when somebody else has asked for it.
create function claim_channel_action(action json, known_channels json) returns uuid
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
    calldata = excluded.calldata, gas = excluded.gas, claimed_block = excluded.claimed_block
  where a.status = 'failed'
  returning a.id into claimed;
  if claimed is null then
    return (select a.id from x402_channel_action a
      where a.network_id = asked.network_id and a.action_key = asked.action_key);
  end if;
  insert into work_item (network_id, kind, dedupe_key, payload, batch_limit)
  values (asked.network_id, 'x402_channel', 'channel:' || asked.network_id || ':' || asked.action_key,
    jsonb_build_object('actionId', claimed), case when asked.is_alone then 1 else 100 end)
  on conflict (dedupe_key) do update set state = 'queued', tx_id = null, log_index = null,
    result = null, tries = 0, batch_limit = excluded.batch_limit, not_before = now(),
    updated_at = now()
  where work_item.state in ('failed', 'review', 'held');
  return claimed;
end $$;

select allow('{api, worker}', '{execute}', '{"function claim_channel_action(json, json)"}');
select allow('{api}', '{select}', '{table x402_channel, table x402_channel_action}');
select allow('{api}', '{update}', '{table x402_channel_action}',
  '{answer_owner, answer_until, answered_at}');
select allow('{worker}', '{select, insert, update}',
  '{table x402_channel, table x402_channel_action}');
select allow('{worker}', '{select, insert, delete}', '{table x402_channel_event}');
select withhold('{api}', '{table x402_channel_event}');
select withhold('{notifier, indexer}',
  '{table x402_channel, table x402_channel_action, table x402_channel_event}');

-- Removes the payments of payouts whose events, at these places, are not booked any more.
create function unbook_channel_payouts(on_network text, hashes text[], indexes integer[])
returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from x402_payment p
  using unnest(hashes, indexes) as gone (tx_hash, log_index)
  where p.tx_hash = gone.tx_hash and p.log_index = gone.log_index - 1
    and p.network_id = on_network and p.from_channels and not exists (
      select from x402_channel_event e where e.network_id = p.network_id
        and e.tx_hash = gone.tx_hash and e.log_index = gone.log_index)
$$;
select allow('{worker}', '{execute}',
  '{"function unbook_channel_payouts(text, text[], integer[])"}');

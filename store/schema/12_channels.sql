-- x402's payment channels (scheme "batch-settlement"): what they are, what was requested of them, what the
-- contract's events report, and what servers keep of them.

-- A channel that pays a merchant.
create table x402_channel (
  -- Events and lists name a channel by this; on the chain it is known by its hash.
  id uuid not null default gen_random_uuid(),
  network_id text not null,
  channel_id evm_hash not null,
  merchant_id uuid not null references merchant (id),
  -- What the hash is of.
  payer evm_address not null,
  payer_authorizer evm_address not null,
  receiver evm_address not null,
  receiver_authorizer evm_address not null,
  token evm_address not null,
  -- In seconds.
  withdraw_delay integer not null check (withdraw_delay between 900 and 2592000),
  salt evm_hash not null,

  -- A channel may be older than its registration here: what the chain said of it after block `base_block` is
  -- read once, and events after that block are added. The hash is null while it is to be read: for the first
  -- time, or again, because the block was replaced.
  base_balance numeric(78, 0),
  base_claimed numeric(78, 0),
  base_withdraw_amount numeric(78, 0),
  base_withdraw_at timestamptz,
  base_block bigint,
  base_hash text,

  -- Derived from the base and all events after it, in base units.
  balance base_units not null default 0,
  total_claimed base_units not null default 0,
  refunds integer not null default 0,
  -- A withdrawal that the payer has begun, and when it can be ended; null for none.
  withdraw_amount numeric(78, 0),
  withdraw_at timestamptz,
  -- Grows with every change of what is derived.
  version integer not null default 1,
  changed_at timestamptz not null default now(),

  -- A withdrawal returns what is not claimed to the payer: what servers hold vouchers for is claimed before
  -- that, and paid out to the receiver. The claim, and how many claims of the withdrawal the chain refused:
  -- each costs gas, so that few are tried.
  auto_claim_id uuid,
  auto_claimed_at timestamptz,
  auto_failures smallint not null default 0,
  created_at timestamptz not null default now(),
  primary key (network_id, channel_id),
  constraint x402_channel_base check (base_balance >= 0 and base_claimed >= 0
    and base_withdraw_amount >= 0 and base_hash ~ '^0x[0-9a-f]{64}$')
);
create index x402_channel_withdrawing on x402_channel (network_id, withdraw_at)
  where withdraw_at is not null;
create unique index x402_channel_by_id on x402_channel (id);
create index x402_channel_by_channel on x402_channel (channel_id);
create index x402_channel_of_merchant on x402_channel (merchant_id, created_at desc, id desc);
-- Channels of which the chain's state is to be read.
create index x402_channel_unread on x402_channel (network_id, created_at)
  where base_hash is null;
-- Those that were read at blocks which others replace.
create index x402_channel_by_base on x402_channel (network_id, base_block);
select allow('{api}', '{select}', '{table x402_channel}');
select allow('{worker}', '{select, insert, update, delete}', '{table x402_channel}');
select withhold('{notifier, indexer}', '{table x402_channel}');

-- One requested action: a deposit, a batch of claims, paying a receiver out, or a refund.
create table x402_channel_action (
  id uuid primary key,
  network_id text not null,
  merchant_id uuid not null,
  kind text not null check (kind in ('deposit', 'claim', 'settle', 'refund')),
  -- What makes it this one and no other: requested again, it is the same row.
  action_key text not null,
  receiver evm_address not null,
  token evm_address not null,
  -- Of a deposit, null for the others: its payer, and its authorization's nonce and end in Unix seconds.
  payer evm_address,
  authorization_nonce evm_hash,
  valid_before base_units,
  -- What is deposited or asked back; what is claimed or paid out when it was requested.
  amount positive_units not null,
  -- The channels, with what is claimed of each: [{"channelId", "totalClaimed"}].
  channels jsonb not null,
  calldata text not null check (calldata ~ '^0x[0-9a-f]*$'),
  gas integer not null check (gas > 0),
  -- The chain's head when it was requested.
  claimed_block bigint not null,

  status text not null default 'pending' check (status in ('pending', 'settled', 'failed')),
  reason text,
  tx_hash evm_hash,
  log_index integer,
  block_number bigint,
  block_hash evm_hash,
  -- What its event says was moved.
  moved base_units,

  -- The process that writes a deposit's one success answer, until when, and when it was written.
  answer_owner uuid,
  answer_until timestamptz,
  answered_at timestamptz,
  -- Requested by a caller and by no worker: that alone may be withdrawn.
  is_withdrawable boolean not null default false,
  -- Not requested by anyone: the payer withdraws. When its receiver was paid out or was owed too little, and
  -- until when the payout is left alone because its contract refuses it.
  is_automatic boolean not null default false,
  followed_at timestamptz,
  follow_after timestamptz,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  confirmed_at timestamptz,
  unique (network_id, action_key),
  constraint x402_channel_action_settled_check check ((status = 'settled') = (tx_hash is not null)),
  constraint x402_channel_action_failed_check check ((status = 'failed') = (reason is not null))
);
alter table x402_channel add foreign key (auto_claim_id) references x402_channel_action (id);
create index x402_channel_action_of_merchant on x402_channel_action (merchant_id, created_at desc);
create index x402_channel_deposits on x402_channel_action (network_id, token, payer)
  where kind = 'deposit' and status <> 'failed' and confirmed_at is null;
create index x402_channel_auto_claims on x402_channel_action (network_id)
  where is_automatic and kind = 'claim' and status = 'settled' and followed_at is null;
-- Whether a settled action lies in a block whose events are not booked yet is asked at every turn.
create index x402_channel_action_settled
  on x402_channel_action (network_id, block_number) where status = 'settled';
-- Whether a claim of the same receiver is on its way is asked before a payout is refused.
create index x402_channel_action_pending
  on x402_channel_action (network_id, receiver, token)
  where status = 'pending' and kind in ('claim', 'refund');
select allow('{api}', '{select}', '{table x402_channel_action}');
select allow('{api}', '{update}', '{table x402_channel_action}', '{answer_owner, answer_until, answered_at}');
select allow('{worker}', '{select, insert, update}', '{table x402_channel_action}');
select withhold('{notifier, indexer}', '{table x402_channel_action}');

-- The contract's events about known channels and receivers, at the chain's confirmations.
create table x402_channel_event (
  network_id text not null,
  tx_hash evm_hash not null,
  log_index integer not null,
  block_number bigint not null,
  block_hash evm_hash not null,
  block_time timestamptz not null,
  name text not null check (name in ('Deposited', 'Claimed', 'Refunded', 'WithdrawInitiated',
    'WithdrawFinalized', 'Settled')),
  -- Null for Settled, which is of a receiver and a token.
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
create index x402_channel_event_by_block on x402_channel_event (network_id, block_number);
-- A channel's newest deposit and claim say what all of them come to, however many there were.
create index x402_channel_event_by_name
  on x402_channel_event (network_id, channel_id, name, block_number, log_index);
select allow('{worker}', '{select, insert, delete}', '{table x402_channel_event}');
select withhold('{api, notifier, indexer}', '{table x402_channel_event}');

-- What servers keep with us of a channel: the payer's newest voucher, how much of it they have charged, and a
-- signature by which that can be claimed without them.
create table x402_channel_voucher (
  network_id text not null,
  channel_id evm_hash not null,
  -- The highest that was stored; null while there is a record alone.
  max_claimable base_units,
  signature text check (signature ~ '^0x[0-9a-f]+$'),
  -- What the server has charged: it never falls.
  charged base_units not null default 0,
  -- The highest claim that both sides have signed: by the voucher with this maximum, so much in all.
  claim_max base_units,
  claim_signature text check (claim_signature ~ '^0x[0-9a-f]+$'),
  claim_total base_units,
  authorizer_signature text check (authorizer_signature ~ '^0x[0-9a-f]+$'),
  -- The server's own words about the channel.
  record text check (octet_length(record) <= 8192),
  -- Grows with every change.
  version integer not null default 1,
  stored_at timestamptz not null default now(),
  -- The chain's head when the first was compared with the chain.
  claimed_block bigint,
  primary key (network_id, channel_id),
  foreign key (network_id, channel_id) references x402_channel,
  check ((max_claimable is null) = (signature is null)),
  check (charged = 0 or charged <= max_claimable),
  check ((claim_total is null) = (authorizer_signature is null)
    and (claim_total is null) = (claim_max is null) and (claim_total is null) = (claim_signature is null)),
  check (claim_total <= claim_max)
);
-- Records of channels that were never paid into: no money, so that they end after some time.
create index x402_channel_voucher_unpromised
  on x402_channel_voucher (network_id, stored_at) where max_claimable is null;
select allow('{api}', '{select}', '{table x402_channel_voucher}');
select allow('{worker}', '{select, delete}', '{table x402_channel_voucher}');
select withhold('{notifier, indexer}', '{table x402_channel_voucher}');

-- Registers channels that pay merchants, whichever process comes across them first.
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
select allow('{api, worker}', '{execute}', array['function register_channels(text, json)']);

-- Requests an action, once: it is stored with its channels and its work. One that failed can be requested
-- again, for the same merchant alone, and a deposit with another amount, by another signature over the same
-- nonce. Work that asks a contract for a signature says so: what fails of it may have burnt our gas on purpose.
-- Returns the id, also of an action that was requested before.
create function claim_channel_action(action json, known_channels json) returns uuid
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
select allow('{api, worker}', '{execute}', array['function claim_channel_action(json, json)']);

-- Withdraws an action for which nothing was ever signed: it has failed then, and can be requested again.
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
select allow('{api}', '{execute}', '{function withdraw_channel_action(uuid)}');

-- Keeps what a server has of a channel. Lower figures replace nothing, and neither does a record whose version
-- is not the one that was read, unless it is the same. Returns stored, conflict, or foreign for another
-- merchant's channel.
create function store_channel_voucher(wanted json, for_merchant uuid) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  given record;
  was x402_channel_voucher;
  new_row x402_channel_voucher;
begin
  select * into given from json_to_record(wanted) as w (network_id text, channel_id text, payer text,
    payer_authorizer text, receiver text, receiver_authorizer text, token text,
    withdraw_delay integer, salt text, max_claimable numeric, signature text, charged numeric,
    authorizer_signature text, has_record boolean, record text, version integer, block bigint);
  if not exists (select from forwarder f
      where f.address = given.receiver and f.merchant_id = for_merchant)
    and not is_own_address(for_merchant, given.receiver, given.network_id) then
    return 'foreign';
  end if;
  insert into x402_channel (network_id, channel_id, merchant_id, payer, payer_authorizer, receiver,
    receiver_authorizer, token, withdraw_delay, salt)
  values (given.network_id, given.channel_id, for_merchant, given.payer, given.payer_authorizer,
    given.receiver, given.receiver_authorizer, given.token, given.withdraw_delay, given.salt)
  on conflict do nothing;
  perform from x402_channel c where c.network_id = given.network_id
    and c.channel_id = given.channel_id and c.merchant_id = for_merchant for update;
  if not found then return 'foreign'; end if;
  select * into was from x402_channel_voucher v
    where v.network_id = given.network_id and v.channel_id = given.channel_id;
  if given.version is not null and given.version <> coalesce(was.version, 0)
    and (not given.has_record or was.record is distinct from given.record or was.version is null) then
    return 'conflict';
  end if;
  new_row := was;
  new_row.network_id := given.network_id;
  new_row.channel_id := given.channel_id;
  if given.max_claimable > coalesce(was.max_claimable, -1) then
    new_row.max_claimable := given.max_claimable;
    new_row.signature := given.signature;
  end if;
  new_row.charged := greatest(was.charged, given.charged, 0);
  if given.authorizer_signature is not null and given.charged > coalesce(was.claim_total, 0) then
    new_row.claim_max := given.max_claimable;
    new_row.claim_signature := given.signature;
    new_row.claim_total := given.charged;
    new_row.authorizer_signature := given.authorizer_signature;
  end if;
  if given.has_record then new_row.record := given.record; end if;
  if was.version is not null and new_row is not distinct from was then return 'stored'; end if;
  new_row.version := coalesce(was.version, 0) + 1;
  new_row.stored_at := now();
  new_row.claimed_block := coalesce(was.claimed_block, given.block);
  insert into x402_channel_voucher as v select new_row.*
  on conflict (network_id, channel_id) do update set max_claimable = excluded.max_claimable,
    signature = excluded.signature, charged = excluded.charged, claim_max = excluded.claim_max,
    claim_signature = excluded.claim_signature, claim_total = excluded.claim_total,
    authorizer_signature = excluded.authorizer_signature, record = excluded.record,
    version = excluded.version, stored_at = excluded.stored_at,
    claimed_block = excluded.claimed_block;
  return 'stored';
end $$;
select allow('{api}', '{execute}', array['function store_channel_voucher(json, uuid)']);

-- Removes the payments of payouts whose events, at these places, are no longer booked.
create function unbook_channel_payouts(on_network text, hashes text[], indexes integer[])
returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from x402_payment p
  using unnest(hashes, indexes) as gone (tx_hash, log_index)
  where p.tx_hash = gone.tx_hash and p.log_index = gone.log_index - 1
    and p.network_id = on_network and p.from_channels and not exists (
      select from x402_channel_event e where e.network_id = p.network_id
        and e.tx_hash = gone.tx_hash and e.log_index = gone.log_index)
$$;
select allow('{worker}', '{execute}', array['function unbook_channel_payouts(text, text[], integer[])']);

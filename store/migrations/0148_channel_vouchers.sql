-- What servers keep with us of their channels: the payer's newest voucher, how much of it they have charged,
-- and a signature by which that can be claimed without them.

-- Events and lists name a channel by this; on the chain it is known by its hash.
alter table x402_channel add column id uuid not null default gen_random_uuid();
create unique index x402_channel_by_id on x402_channel (id);
create index x402_channel_by_channel on x402_channel (channel_id);
drop index x402_channel_of_merchant;
create index x402_channel_of_merchant on x402_channel (merchant_id, created_at desc, id desc);
-- When the chain last said something of it.
alter table x402_channel add column changed_at timestamptz not null default now();

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
  -- The chain's head when the first was held against the chain.
  claimed_block bigint,
  primary key (network_id, channel_id),
  foreign key (network_id, channel_id) references x402_channel,
  check ((max_claimable is null) = (signature is null)),
  check (charged = 0 or charged <= max_claimable),
  check ((claim_total is null) = (authorizer_signature is null)
    and (claim_total is null) = (claim_max is null) and (claim_total is null) = (claim_signature is null)),
  check (claim_total <= claim_max)
);

-- Keeps what a server has of a channel. What is lower than what is there replaces nothing, and neither does a
-- record whose version is not the one that was read, unless it is the same. The answer says which.
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

select allow('{api}', '{execute}', '{"function store_channel_voucher(json, uuid)"}');
select allow('{api, worker}', '{select}', '{table x402_channel_voucher}');
select withhold('{notifier, indexer}', '{table x402_channel_voucher}');

-- x402: where merchants are paid, what they sell, the payments, and how forwarders are paid out.

-- Where a merchant's x402 payments go: one address on every chain, derived from the merchant alone.
create table forwarder (
  merchant_id uuid primary key references merchant (id),
  address evm_address not null unique,
  hub evm_address not null,
  created_at timestamptz not null default now()
);
-- The hubs that addresses were derived from, of which there are few.
create index forwarder_hub on forwarder (hub);
create trigger forwarder_of_api before insert on forwarder for each row
  when (current_user = database_role('api')) execute function refuse_strange_hub();
select allow('{api, worker}', '{select}', '{table forwarder}');
select allow('{api}', '{insert}', '{table forwarder}', '{merchant_id, address, hub}');
select withhold('{notifier, indexer}', '{table forwarder}');

-- A forwarder's payouts of one token on one chain.
create table forwarder_on_chain (
  merchant_id uuid not null references forwarder (merchant_id),
  network_id text not null,
  token evm_address not null,
  -- The place of the last distribution that is booked, and the head when one was last sent along with payments:
  -- what was mined up to there need not be paid out again.
  booked_block bigint,
  booked_log_index integer,
  sent_block bigint,
  -- The last distribution that the hub refused, and the registry version it was tried with: it is not tried
  -- again before either time has passed or the version has grown.
  failed_at timestamptz,
  failed_version integer,
  failure text,
  primary key (merchant_id, network_id, token)
);
-- Whether payouts were sent lately is asked with each new head.
create index forwarder_on_chain_sent on forwarder_on_chain (network_id, sent_block)
  where sent_block is not null;
select allow('{worker}', '{select, insert, update}', '{table forwarder_on_chain}');
select withhold('{api, notifier, indexer}', '{table forwarder_on_chain}');

-- Queues what a merchant's forwarder needs on a chain: its code, and its registry entry, as the merchant's own
-- row says. The merchant is locked first, so that a recipient that is being set is not missed.
create function prepare_forwarder(of_merchant uuid, on_network text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  owner merchant;
  at_hub text;
begin
  select * into owner from merchant where id = of_merchant for share;
  select hub into at_hub from forwarder where merchant_id = of_merchant;
  if at_hub is null then raise exception 'merchant % has no forwarder', of_merchant; end if;
  insert into work_item (network_id, kind, dedupe_key, payload)
  values (on_network, 'deploy', 'deploy:' || on_network || ':' || of_merchant,
    jsonb_build_object('merchantId', of_merchant))
  on conflict (dedupe_key) do nothing;
  if owner.recipient is not null then
    perform ensure_configured(on_network, at_hub, of_merchant, owner.recipient, owner.x402_fee_bps,
      owner.x402_fee_cap, owner.config_version);
  end if;
end $$;
select allow('{api, worker}', '{execute}', array['function prepare_forwarder(uuid, text)']);

-- Addresses of merchants' own that are paid directly, without a forwarder. Each is registered once, with its
-- signature.
create table x402_own_address (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  address evm_address not null,
  -- Null: a key has signed, which has the address on every chain. A contract wallet has it on one.
  network_id text,
  signature text not null check (signature ~ '^0x[0-9a-f]*$'),
  created_at timestamptz not null,
  -- Nothing more is requested to it; what was claimed before is carried out.
  removed_at timestamptz
);
create unique index x402_own_address_in_use on x402_own_address (address, coalesce(network_id, ''))
  where removed_at is null;
create index x402_own_address_of_merchant on x402_own_address (merchant_id, address);
select allow('{api}', '{select, insert}', '{table x402_own_address}');
select allow('{api}', '{update}', '{table x402_own_address}', '{removed_at}');
select allow('{worker}', '{select}', '{table x402_own_address}');
select withhold('{notifier, indexer}', '{table x402_own_address}');

-- Whether an address is, or was, a merchant's own on a chain.
create function is_own_address(of_merchant uuid, at text, on_network text)
returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from x402_own_address a
    where a.merchant_id = of_merchant and a.address = at
      and (a.network_id is null or a.network_id = on_network))
$$;
select allow('{api, worker}', '{execute}', array['function is_own_address(uuid, text, text)']);

-- The words by which an endpoint is found: of its URL, tool, description, service's name and tags.
create function words_of_resource(url text, description text, discovery jsonb)
returns tsvector language sql immutable parallel safe
set search_path = pg_catalog, public, pg_temp as $$
  select to_tsvector('pg_catalog.simple', regexp_replace(
    concat_ws(' ', url, discovery #>> '{info,input,toolName}', description,
      discovery ->> 'serviceName', discovery ->> 'tags'),
    '[^[:alnum:]]+', ' ', 'g'))
$$;
select allow('{api}', '{execute}', array['function words_of_resource(text, text, jsonb)']);

-- What a merchant sells: a URL, or the URLs of a pattern, for a price in one token on one chain.
create table x402_endpoint (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  -- As it was registered.
  url text not null check (length(url) between 1 and 2048),
  -- The form in which URLs are compared; of a tool of an MCP server with # and the tool's name behind it
  -- (core/x402/endpoint.ts).
  url_key text not null,
  -- Of a path with wildcards (core/x402/routePattern.ts): the expression that matches its URLs, and how they
  -- all begin. Null for one URL.
  url_regex text check (length(url_regex) <= 1024),
  url_head text,
  network_id text not null,
  token_symbol text not null,
  asset evm_address not null,
  -- The price.
  amount positive_units not null,
  description text not null check (length(description) <= 1000),
  -- Each payment in a transaction of its own, for merchants who use the hash as a key.
  own_transaction boolean not null default false,
  -- Whether payers may be contract wallets.
  accepts_wallets boolean not null default true,
  -- Whether it is listed publicly, and what is shown besides price and description (core/x402/metadata.ts).
  discoverable boolean not null default false,
  discovery jsonb
    check (jsonb_typeof(discovery) = 'object' and octet_length(discovery::text) <= 65536),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint x402_endpoint_pattern check ((url_regex is null) = (url_head is null))
);
-- One per URL and price.
create unique index x402_endpoint_price
  on x402_endpoint (merchant_id, url_key, network_id, asset, amount) where active;
create index x402_endpoint_by_merchant on x402_endpoint (merchant_id, created_at desc, id desc);
create index x402_endpoint_by_head
  on x402_endpoint (merchant_id, url_head, created_at desc, id desc)
  where active and url_regex is not null;
create index x402_endpoint_listed on x402_endpoint (created_at desc, id desc)
  where discoverable and active;
-- The prices of a URL, of all its tools.
create index x402_endpoint_by_resource
  on x402_endpoint (merchant_id, split_part(url_key, '#', 1), network_id, asset) where active;
create index x402_endpoint_words_of_resource on x402_endpoint
  using gin (words_of_resource(url, description, discovery)) where discoverable and active;
-- The prices of what is listed once, a URL or a tool there, in their order (store/x402/listings.ts).
create index x402_endpoint_by_listing on x402_endpoint (
  merchant_id,
  md5(split_part(url_key, '#', 1) || case when discovery #>> '{info,input,type}' = 'mcp'
    then '#' || coalesce(discovery #>> '{info,input,toolName}', '') else '' end),
  created_at, id
) where active;
select allow('{api, worker}', '{select}', '{table x402_endpoint}');
select allow('{api}', '{insert}', '{table x402_endpoint}',
  '{id, merchant_id, url, url_key, url_regex, url_head, network_id, token_symbol, asset, amount, description,
  own_transaction, accepts_wallets, discoverable, discovery, created_at, updated_at}');
select allow('{api}', '{update}', '{table x402_endpoint}',
  '{url_key, amount, description, own_transaction, accepts_wallets, discoverable, discovery, active, updated_at}');
select withhold('{notifier, indexer}', '{table x402_endpoint}');

-- A price that an endpoint had, payable for as long as payers may take.
create table x402_former_price (
  endpoint_id uuid not null references x402_endpoint (id),
  amount positive_units not null,
  payable_until timestamptz not null,
  primary key (endpoint_id, amount)
);
select allow('{api}', '{select, insert, delete}', '{table x402_former_price}');
select allow('{api}', '{update}', '{table x402_former_price}', '{payable_until}');
select withhold('{worker, notifier, indexer}', '{table x402_former_price}');

-- Whether an amount is what an endpoint charges, or did until a moment ago.
create function is_price_of(endpoint uuid, asked numeric, given numeric)
returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select asked = given or exists (
    select from x402_former_price f
    where f.endpoint_id = endpoint and f.amount = given and f.payable_until > now())
$$;
select allow('{api}', '{execute}', array['function is_price_of(uuid, numeric, numeric)']);

-- The endpoint that a payment is for by the URL of its resource: the one of that very URL, or the only one
-- whose pattern it matches; null when there is none, or several. A payment that was claimed keeps its endpoint,
-- even when its price has changed. Of a URL the prices of all its tools count; of patterns the fifty with most
-- segments in common.
create function endpoint_of_resource(
  of_merchant uuid, resource text, heads text[], on_network text, of_asset text, price numeric, claimed uuid
) returns uuid language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare
  found_ids uuid[];
begin
  if exists (
    select from x402_endpoint e where e.id = claimed and e.merchant_id = of_merchant
      and (split_part(e.url_key, '#', 1) = resource or resource ~* e.url_regex)
  ) then
    return claimed;
  end if;
  -- Active prices come before former ones, and a URL of its own before a pattern.
  select array_agg(e.id) into found_ids from x402_endpoint e
  where e.merchant_id = of_merchant and split_part(e.url_key, '#', 1) = resource
    and e.network_id = on_network and e.asset = of_asset and e.amount = price and e.active;
  if found_ids is null then
    select array_agg(e.id) into found_ids from (
      select * from x402_endpoint c
      where c.merchant_id = of_merchant and split_part(c.url_key, '#', 1) = resource
        and c.network_id = on_network and c.asset = of_asset and c.active
      limit 50
    ) e where is_price_of(e.id, e.amount, price);
  end if;
  if found_ids is null then
    select array_agg(p.id) into found_ids from (
      select e.id, rank() over (order by e.amount <> price) as place from (
        select c.* from unnest(heads) with ordinality as h (head, depth)
        cross join lateral (
          select * from x402_endpoint c
          where c.merchant_id = of_merchant and c.url_head = h.head and c.active
            and c.url_regex is not null
          order by c.created_at desc, c.id desc limit 50
        ) c
        order by h.depth desc, c.created_at desc, c.id desc limit 50
      ) e
      where e.network_id = on_network and e.asset = of_asset
        and case when is_price_of(e.id, e.amount, price) then resource ~* e.url_regex else false end
    ) p where p.place = 1;
  end if;
  return case when cardinality(found_ids) = 1 then found_ids[1] end;
end $$;
select allow('{api}', '{execute}',
  array['function endpoint_of_resource(uuid, text, text[], text, text, numeric, uuid)']);

-- One payment by signature, claimed before anything is signed for it. An EIP-3009 authorization, or a transfer
-- by Permit2 (schemes exact and upto), to a merchant's forwarder or own address; or what a channel's contract
-- has paid out.
create table x402_payment (
  id uuid primary key,
  merchant_id uuid not null,
  -- Null where no endpoint was found.
  endpoint_id uuid,

  -- What the payer has signed.
  network_id text not null,
  asset evm_address not null,
  payer evm_address not null,
  -- EIP-3009's nonce. Of Permit2 a hash of its nonce, so that none collides with one of EIP-3009.
  authorization_nonce evm_hash not null,
  pay_to evm_address not null,
  -- What is paid; of upto, what is taken of `permitted`.
  amount positive_units not null,
  -- Unix seconds of chain time, both exclusive (EIP-3009). Of Permit2 the second after the deadline.
  valid_after base_units not null,
  valid_before base_units not null,
  signature text not null check (signature ~ '^0x[0-9a-f]*$'),
  scheme text not null default 'exact' check (scheme in ('exact', 'upto')),
  -- Of Permit2, all null for EIP-3009: the hub that settles it (an upto payer names it as facilitator),
  -- Permit2's own nonce, what the payer allows, and the payer's approval of Permit2 by EIP-2612, in the five
  -- words that the hub takes.
  permit_hub evm_address,
  permit_nonce base_units,
  permitted positive_units,
  permit2612 text check (permit2612 ~ '^0x[0-9a-f]*$' and length(permit2612) = 322),

  -- The payer has code, so that the token asks it (ERC-1271) instead of recovering a key.
  is_wallet boolean not null,
  -- The first 8 bytes of the hash of the payer's code when it was claimed; null without code, or unknown.
  payer_code text check (octet_length(payer_code) = 18 and payer_code ~ '^0x[0-9a-f]+$'),
  -- The chain's head when it was claimed: evidence is looked for from here on, and a little before.
  claimed_block bigint not null,

  status text not null default 'pending' check (status in ('pending', 'settled', 'failed')),
  -- Why it failed, in x402's words.
  reason text,
  -- Whether another's transaction settled it, so that no relayer of ours watches over it.
  by_others boolean not null default false,
  -- Of the token's Transfer.
  tx_hash evm_hash,
  log_index integer,
  block_number bigint,
  block_hash evm_hash,

  -- The process that writes the one success answer, until when, and when it was written.
  answer_owner uuid,
  answer_until timestamptz,
  answered_at timestamptz,

  -- Whether it went to an address of the merchant's own: nothing of it is ever in a forwarder, and no payout
  -- has it. The service's fee for it is owed, because nothing was taken.
  direct boolean not null default false,
  fee_owed numeric(78, 0) not null default 0,
  -- Whether it is a channel's payout to its receiver, settled by the channel's contract.
  from_channels boolean not null default false,
  -- The payout that has it, and this payment's share of its fee.
  distribution_id uuid,
  fee numeric(78, 0) check (fee between 0 and amount),
  -- What refunds have brought back, and what is promised to refunds on their way.
  refunded numeric(78, 0) not null default 0,
  refunding numeric(78, 0) not null default 0,

  version integer not null default 1,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  confirmed_at timestamptz,

  -- The claim: no authorization is ever carried out for two payments. By nonce alone it is found in the same
  -- index.
  constraint x402_payment_claim unique (authorization_nonce, payer, asset, network_id),
  -- No transfer on-chain ever pays for two.
  unique (tx_hash, log_index, network_id),
  constraint x402_payment_settled check ((status = 'settled') = (tx_hash is not null)),
  constraint x402_payment_settled_at check ((status = 'settled') = (settled_at is not null)),
  constraint x402_payment_failed check ((status = 'failed') = (reason is not null)),
  constraint x402_payment_permit check (
    (permit_nonce is null) = (permitted is null) and (permit_nonce is null) = (permit_hub is null)
    and (scheme = 'exact' or permit_nonce is not null)
    and (permit2612 is null or permit_nonce is not null)
    and (permitted is null or amount = permitted or (scheme = 'upto' and amount < permitted))),
  constraint x402_payment_refunds check (refunded >= 0 and refunding >= 0)
)
-- A payment's row is written five times within seconds; what is in no index stays in its page.
with (fillfactor = 50);
-- What is promised of a payer's balance, or may not be known to be gone from it.
create index x402_payment_unconfirmed on x402_payment (network_id, asset, payer)
  where status <> 'failed' and confirmed_at is null;
create index x402_payment_expiring on x402_payment (network_id, valid_before)
  where status = 'pending';
create index x402_payment_of_distribution on x402_payment (distribution_id)
  where distribution_id is not null;
-- Payments by another's transaction, and those of them that are to be confirmed.
create index x402_payment_by_others on x402_payment (network_id, block_number)
  where status = 'settled' and by_others;
create index x402_payment_by_others_open on x402_payment (network_id, block_number)
  where status = 'settled' and by_others and confirmed_at is null;
-- Lists that merchants filter are found and counted in an index alone, without reading rows.
create index x402_payment_listed on x402_payment (merchant_id, created_at desc, id desc)
  include (status, endpoint_id, payer, network_id);
-- For reports of parts of days.
create index x402_payment_confirmed
  on x402_payment (merchant_id, confirmed_at) where confirmed_at is not null;
-- For what an operator reads of some days.
create index x402_payment_by_day on x402_payment using brin (confirmed_at);
-- What forwarders hold.
create index x402_payment_to_distribute
  on x402_payment (network_id, pay_to, block_number, log_index)
  where status = 'settled' and distribution_id is null and not direct;
select allow('{api}', '{select}', '{table x402_payment}');
select allow('{api}', '{update}', '{table x402_payment}', '{answer_owner, answer_until, answered_at}');
select allow('{worker}', '{select, insert, update}', '{table x402_payment}');
select allow('{indexer}', '{select}', '{table x402_payment}', '{network_id, asset, payer, authorization_nonce}');
select withhold('{notifier, indexer}', '{table x402_payment}');

-- Claims payments and queues the work to carry them out. One that failed is claimed again by the same
-- authorization, on the same terms and for the same merchant: an address that has moved to another merchant
-- pays that one, and what was begun for the former one is not resumed. Each pays the merchant's forwarder or an
-- address of its own; others are left out. Returns those that were claimed.
create function claim_authorizations(claims json)
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
select allow('{api}', '{execute}', '{function claim_authorizations(json)}');

-- Queues a held payment again on request, unless its payer pauses. True when it was held and is queued now.
create function resume_held(of_payment uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update work_item w set state = 'queued', tries = 0, result = null, not_before = now(),
    updated_at = now()
  from x402_payment p
  where p.id = of_payment and p.status = 'pending' and w.state = 'held'
    and w.dedupe_key = 'x402:' || p.network_id || ':' || p.asset || ':' || p.payer || ':'
      || p.authorization_nonce
    and not exists (select from x402_wallet_pause b
      where b.network_id = p.network_id and b.payer = p.payer and b.until > now());
  return found;
end $$;
select allow('{api}', '{execute}', '{function resume_held(uuid)}');

-- Withdraws a claim for which nothing was ever signed, and with it what it promised. It locks the item before
-- the payment, as every change of both does: a batch that holds the item keeps it. A new payment leaves no
-- trace; one that has failed before has failed again. No event reports it. False when it can't be withdrawn
-- (now).
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
select allow('{api}', '{execute}', '{function withdraw_claim(uuid)}');

-- Settles a payment that is pending, or has failed, with a transfer that no transaction of ours made. False
-- when it is settled already, or that very transfer has paid for another one.
create function settle_by_evidence(
  of_payment uuid, in_tx text, at_log integer, in_block bigint, with_hash text
) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  settled x402_payment;
begin
  update x402_payment p set status = 'settled', reason = null, tx_hash = in_tx, log_index = at_log,
    block_number = in_block, block_hash = with_hash, by_others = true, settled_at = now()
  where p.id = of_payment and p.status <> 'settled' and not exists (
    select from x402_payment o
    where o.network_id = p.network_id and o.tx_hash = in_tx and o.log_index = at_log)
  returning * into settled;
  if settled.id is null then return false; end if;
  update work_item set state = 'settled', log_index = at_log,
    result = jsonb_build_object('txHash', in_tx), tx_id = null, updated_at = now()
  where dedupe_key = 'x402:' || settled.network_id || ':' || settled.asset || ':' || settled.payer
    || ':' || settled.authorization_nonce;
  perform pg_notify('x402_decided', of_payment::text);
  return true;
end $$;
select allow('{api, worker}', '{execute}', array['function settle_by_evidence(uuid, text, integer, bigint, text)']);

-- Stores a payment as settled by another's transaction. A worker confirms it, by the chain.
create function book_paid_by_others(
  payment json, in_tx text, at_log integer, in_block bigint, with_hash text
) returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
    authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet,
    payer_code, claimed_block, status, tx_hash, log_index, block_number, block_hash, by_others,
    settled_at, direct, fee_owed)
  select p.id, p.merchant_id, p.endpoint_id, p.network_id, p.asset, p.payer, p.authorization_nonce,
    p.pay_to, p.amount, p.valid_after, p.valid_before, p.signature, p.is_wallet, p.payer_code,
    p.claimed_block,
    'settled', in_tx, at_log, in_block, with_hash, true, now(), f.address is null,
    case when f.address is null then coalesce(p.fee_owed, 0) else 0 end
  from json_to_record(payment) as p (id uuid, merchant_id uuid, endpoint_id uuid, network_id text,
    asset text, payer text, authorization_nonce text, pay_to text, amount numeric,
    valid_after numeric, valid_before numeric, signature text, is_wallet boolean,
    payer_code text, claimed_block bigint, fee_owed numeric)
  left join forwarder f on f.address = p.pay_to and f.merchant_id = p.merchant_id
  where f.address is not null or is_own_address(p.merchant_id, p.pay_to, p.network_id)
  on conflict do nothing
$$;
select allow('{api}', '{execute}', array['function book_paid_by_others(json, text, integer, bigint, text)']);

-- The calls by which factories create wallets that pay before they exist (ERC-6492).
create table x402_deployment (
  payment_id uuid primary key references x402_payment (id) on delete cascade,
  factory evm_address not null,
  calldata text not null check (calldata ~ '^0x([0-9a-f]{2})*$' and length(calldata) <= 16386)
);
select allow('{api}', '{select, insert, update}', '{table x402_deployment}');
select allow('{worker}', '{select}', '{table x402_deployment}');
select withhold('{notifier, indexer}', '{table x402_deployment}');

-- Payers with code whose last try paid nothing: nothing of theirs is sent before the pause is over, because
-- they may burn the gas that they are given, also after a good trial.
create table x402_wallet_pause (
  network_id text not null,
  payer evm_address not null,
  -- Tries in succession that paid nothing.
  failures integer not null check (failures > 0),
  until timestamptz not null,
  primary key (network_id, payer)
);
-- Those that are long over are removed.
create index x402_wallet_pause_over on x402_wallet_pause (until);
select allow('{api}', '{select}', '{table x402_wallet_pause}');
select allow('{worker}', '{select, insert, update, delete}', '{table x402_wallet_pause}');
select withhold('{notifier, indexer}', '{table x402_wallet_pause}');

-- Payers that had code when their plain payments were carried out, whether they had it at the claim or not: a
-- delegation (EIP-7702) comes and goes within a block. Their payments travel with those of wallets from then
-- on, one at a time, until they have not been seen so for a month.
create table x402_code_payer (
  network_id text not null,
  payer evm_address not null,
  seen_at timestamptz not null default now(),
  primary key (network_id, payer)
);
create index x402_code_payer_seen on x402_code_payer (seen_at);
select allow('{api}', '{select}', '{table x402_code_payer}');
select allow('{worker}', '{select, insert, update, delete}', '{table x402_code_payer}');
select withhold('{notifier, indexer}', '{table x402_code_payer}');

-- What a valid answer of verify holds of a payer's balance for some seconds. Not logged: after a crash of the
-- database the holds are gone, which costs a server one answer, and never money.
create unlogged table x402_hold (
  network_id text not null,
  asset evm_address not null,
  payer evm_address not null,
  authorization_nonce evm_hash not null,
  amount positive_units not null,
  -- What it is for: a payer can sign one nonce for many things, and only one of them is held.
  terms text not null check (length(terms) <= 512),
  until timestamptz not null,
  primary key (payer, authorization_nonce, asset, network_id)
);
-- Those that are over are removed.
create index x402_hold_over on x402_hold (until);
select allow('{api}', '{select, insert, update, delete}', '{table x402_hold}');
select withhold('{worker, notifier, indexer}', '{table x402_hold}');

-- The sum of holds that end together: a payer's are added up by their seconds, however many there are.
create unlogged table x402_held (
  network_id text not null,
  asset evm_address not null,
  payer evm_address not null,
  until timestamptz not null,
  amount base_units not null,
  primary key (payer, asset, network_id, until)
);
create index x402_held_over on x402_held (until);
select allow('{api}', '{select, insert, update, delete}', '{table x402_held}');
select withhold('{worker, notifier, indexer}', '{table x402_held}');

-- One payout of a forwarder, by the hub's event, also one that others requested. Booked at the chain's confirmations.
create table x402_distribution (
  id uuid primary key,
  merchant_id uuid not null,
  network_id text not null,
  token evm_address not null,
  treasury evm_address not null,
  -- What the treasury received; what the collector received, with fees held from earlier ones; the fee held
  -- this time.
  remitted base_units not null,
  fee base_units not null,
  fee_held base_units not null,
  -- What the forwarder had received that belongs to no payment.
  unattributed numeric(78, 0) not null,
  tx_hash evm_hash not null,
  log_index integer not null,
  block_number bigint not null,
  block_hash evm_hash not null,
  block_time timestamptz not null,
  unique (network_id, tx_hash, log_index)
);
create index x402_distribution_order
  on x402_distribution (merchant_id, network_id, token, block_number, log_index);
-- Payouts in blocks that were replaced.
create index x402_distribution_by_block on x402_distribution (network_id, block_number);
-- For sharing a payout's fee: the last payout before it that paid the collector, and those since then that held
-- their fee back. A merchant may have paid no fee for years, or held none.
create index x402_distribution_paid on x402_distribution
  (merchant_id, network_id, token, block_number, log_index) where fee > 0;
create index x402_distribution_held on x402_distribution
  (merchant_id, network_id, token, block_number, log_index) include (fee_held) where fee_held > 0;
-- In the order of the list, and for what an operator reads of some days.
create index x402_distribution_by_time
  on x402_distribution (merchant_id, block_time, id);
create index x402_distribution_by_day
  on x402_distribution using brin (block_time);
select allow('{api}', '{select}', '{table x402_distribution}');
select allow('{worker}', '{select, insert, update, delete}', '{table x402_distribution}');
select withhold('{notifier, indexer}', '{table x402_distribution}');

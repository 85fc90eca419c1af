-- Merchants may be paid at addresses of their own, without a forwarder: each is registered once, with a
-- signature of the address.
create table x402_own_address (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  address evm_address not null,
  -- Null: its key has signed, which has the address on every chain. A contract wallet has it on one.
  network_id text,
  signature text not null check (signature ~ '^0x[0-9a-f]*$'),
  created_at timestamptz not null,
  -- Nothing more is asked for to it; what was claimed before is carried out.
  removed_at timestamptz
);
create unique index x402_own_address_in_use on x402_own_address (address, coalesce(network_id, ''))
  where removed_at is null;
create index x402_own_address_of_merchant on x402_own_address (merchant_id, address);

select allow('{api}', '{select, insert}', '{table x402_own_address}');
select allow('{api}', '{update}', '{table x402_own_address}', '{removed_at}');
select allow('{worker}', '{select}', '{table x402_own_address}');
select withhold('{notifier, indexer}', '{table x402_own_address}');

-- Paid to such an address: nothing of it is ever in a forwarder, and no payout has it.
alter table x402_payment add column direct boolean not null default false;
-- The service's fee for a direct payment, which nothing was taken for, in base units.
alter table x402_payment add column fee_owed numeric(78, 0) not null default 0;

-- Whether a merchant may be paid at an address of its own on a chain.
create function is_own_address(of_merchant uuid, at text, on_network text)
returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from x402_own_address a
    where a.merchant_id = of_merchant and a.address = at
      and (a.network_id is null or a.network_id = on_network))
$$;
select allow('{api, worker}', '{execute}', array['function is_own_address(uuid, text, text)']);

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
      claimed_block bigint, is_alone boolean, fee_owed numeric)
    left join forwarder f on f.address = given.pay_to and f.merchant_id = given.merchant_id
    where f.address is not null
      or is_own_address(given.merchant_id, given.pay_to, given.network_id)
  ), claimed as (
    insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
      authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet,
      payer_code, claimed_block, direct, fee_owed)
    select id, merchant_id, endpoint_id, network_id, asset, payer, authorization_nonce, pay_to,
      amount, valid_after, valid_before, signature, is_wallet, payer_code, claimed_block, direct,
      case when direct then coalesce(fee_owed, 0) else 0 end
    from given
    order by authorization_nonce, payer
    on conflict on constraint x402_payment_claim do update set
      status = 'pending', reason = null, version = x402_payment.version + 1,
      signature = excluded.signature, is_wallet = excluded.is_wallet,
      payer_code = excluded.payer_code
    where x402_payment.status = 'failed'
      and x402_payment.pay_to = excluded.pay_to and x402_payment.amount = excluded.amount
      and x402_payment.valid_after = excluded.valid_after
      and x402_payment.valid_before = excluded.valid_before
      and x402_payment.endpoint_id is not distinct from excluded.endpoint_id
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

create or replace function book_paid_by_others(
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

-- Direct payments are summed by themselves: what they bring is with the merchant, and in no forwarder.
create or replace function tally_x402_payment() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into movement_tally_change (merchant_id, day, network_id, token, type, movements, amount,
    fee, endpoint_id)
  select m.merchant_id, (m.confirmed_at at time zone 'UTC')::date, m.network_id, m.asset,
    case when new.direct then 'x402_direct' else 'x402_payment' end, m.movements,
    m.movements * m.amount, m.movements * m.fee_owed,
    coalesce(m.endpoint_id, '00000000-0000-0000-0000-000000000000')
  from (
    values
      (old.merchant_id, old.confirmed_at, old.network_id, old.asset, -1, old.amount, old.fee_owed,
        old.endpoint_id),
      (new.merchant_id, new.confirmed_at, new.network_id, new.asset, 1, new.amount, new.fee_owed,
        new.endpoint_id)
  ) as m (merchant_id, confirmed_at, network_id, asset, movements, amount, fee_owed, endpoint_id)
  where m.confirmed_at is not null;
  return null;
end $$;

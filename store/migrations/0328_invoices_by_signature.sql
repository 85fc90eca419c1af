-- Payments of invoices by an EIP-3009 authorization that a relayer carries out: the transfer itself is an ordinary
-- payment of the deposit address, which the ledger counts like any other. Never an x402_payment: nothing of it is in a
-- forwarder, and no fee is taken beside the invoice's.
create table invoice_authorization (
  id uuid primary key,
  invoice_id uuid not null references invoice (id),
  merchant_id uuid not null,

  -- What the payer has signed, as in x402_payment. `pay_to` is the invoice's deposit address.
  network_id text not null,
  asset evm_address not null,
  payer evm_address not null,
  authorization_nonce evm_hash not null,
  pay_to evm_address not null,
  amount positive_units not null,
  valid_after base_units not null,
  valid_before base_units not null,
  signature text not null check (signature ~ '^0x[0-9a-f]*$'),
  -- How it was sent: from the checkout page, or by an x402 client.
  method text not null check (method in ('signature', 'x402')),

  -- The payer has code, so that the token calls it (ERC-1271), and the first 8 bytes of that code's hash.
  is_wallet boolean not null,
  payer_code text check (octet_length(payer_code) = 18 and payer_code ~ '^0x[0-9a-f]+$'),
  -- The call that creates the payer's code first (ERC-6492); null for none.
  factory evm_address,
  factory_calldata text
    check (factory_calldata ~ '^0x([0-9a-f]{2})*$' and length(factory_calldata) <= 16386),
  -- The chain's head when it was claimed.
  claimed_block bigint not null,

  status text not null default 'pending' check (status in ('pending', 'settled', 'failed', 'replaced')),
  -- Why it failed, in x402's words.
  reason text,
  by_others boolean not null default false,
  -- Of the token's Transfer, which is the payment's, too.
  tx_hash evm_hash,
  log_index integer,
  block_number bigint,
  block_hash evm_hash,

  -- What its gas is expected to cost, in millionths of a dollar, against the merchant's budget of the day; 0 once it
  -- was withdrawn before anything was sent.
  gas_booked base_units not null,
  -- Where it came from, under the key of the sessions.
  network_tags text[]
    check (cardinality(network_tags) <= 4 and length(array_to_string(network_tags, '')) <= 256),

  version integer not null default 1,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  confirmed_at timestamptz,

  constraint invoice_authorization_claim unique (authorization_nonce, payer, asset, network_id),
  unique (tx_hash, log_index, network_id),
  constraint invoice_authorization_settled check ((status = 'settled') = (tx_hash is not null)),
  constraint invoice_authorization_settled_at check ((status = 'settled') = (settled_at is not null)),
  constraint invoice_authorization_failed check ((status = 'failed') = (reason is not null)),
  constraint invoice_authorization_factory check ((factory is null) = (factory_calldata is null))
);
create index invoice_authorization_of_invoice on invoice_authorization (invoice_id, created_at desc);
create index invoice_authorization_unconfirmed on invoice_authorization (network_id, asset, payer)
  where status in ('pending', 'settled') and confirmed_at is null;
create index invoice_authorization_expiring on invoice_authorization (network_id, valid_before)
  where status = 'pending';
create index invoice_authorization_by_others on invoice_authorization (network_id, block_number)
  where status = 'settled' and by_others;
-- The budget of the last day, and what a payer or a network has had fail.
create index invoice_authorization_by_day on invoice_authorization (merchant_id, created_at);
create index invoice_authorization_by_payer on invoice_authorization (payer, created_at);
select allow('{api, worker}', '{select}', '{table invoice_authorization}');
select allow('{worker}', '{update}', '{table invoice_authorization}',
  '{status, reason, by_others, tx_hash, log_index, block_number, block_hash, is_wallet, payer_code, version,
  settled_at, confirmed_at}');
select withhold('{notifier, indexer}', '{table invoice_authorization}');

-- The key of the work that carries an authorization out.
create function invoice_authorization_work(of_authorization uuid) returns text
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select 'invoice:' || of_authorization
$$;
select allow('{api, worker}', '{execute}', '{function invoice_authorization_work(uuid)}');

-- Claims an authorization and queues the work to carry it out. The caller holds the invoice's lock. Deposit, merchant
-- and hub are the invoice's own. One that failed is claimed again on the same terms; null when the nonce was claimed for
-- something else.
create function claim_invoice_authorization(claim json) returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  claimed invoice_authorization;
begin
  insert into invoice_authorization as a (id, invoice_id, merchant_id, network_id, asset, payer,
    authorization_nonce, pay_to, amount, valid_after, valid_before, signature, method, is_wallet, payer_code,
    factory, factory_calldata, claimed_block, gas_booked, network_tags)
  select c.id, i.id, i.merchant_id, c.network_id, c.asset, c.payer, c.authorization_nonce,
    i.deposit_address, c.amount, c.valid_after, c.valid_before, c.signature, c.method, c.is_wallet,
    c.payer_code, c.factory, c.factory_calldata, c.claimed_block, c.gas_booked, c.network_tags
  from json_to_record(claim) as c (id uuid, invoice_id uuid, network_id text, asset text, payer text,
    authorization_nonce text, amount numeric, valid_after numeric, valid_before numeric, signature text,
    method text, is_wallet boolean, payer_code text, factory text, factory_calldata text,
    claimed_block bigint, gas_booked numeric, network_tags text[])
  join invoice i on i.id = c.invoice_id
  where not exists (select from x402_payment p
    where p.authorization_nonce = c.authorization_nonce and p.payer = c.payer and p.asset = c.asset
      and p.network_id = c.network_id and p.status <> 'failed')
  on conflict on constraint invoice_authorization_claim do update set
    status = 'pending', reason = null, version = a.version + 1, signature = excluded.signature,
    is_wallet = excluded.is_wallet, payer_code = excluded.payer_code, factory = excluded.factory,
    factory_calldata = excluded.factory_calldata, gas_booked = a.gas_booked + excluded.gas_booked
  where a.status = 'failed' and a.invoice_id = excluded.invoice_id and a.amount = excluded.amount
    and a.valid_after = excluded.valid_after and a.valid_before = excluded.valid_before
    and a.method = excluded.method
  returning * into claimed;
  if claimed.id is null then return null; end if;
  insert into work_item (network_id, kind, dedupe_key, payload, batch_limit, not_before)
  values (claimed.network_id, case when claimed.is_wallet then 'x402_wallet' else 'x402' end,
    invoice_authorization_work(claimed.id),
    jsonb_build_object('paymentId', claimed.id, 'invoiceId', claimed.invoice_id,
      'merchantId', claimed.merchant_id),
    100,
    greatest(now(), (select b.until from x402_wallet_pause b
      where claimed.is_wallet and b.network_id = claimed.network_id and b.payer = claimed.payer)))
  on conflict (dedupe_key) do update set
    state = 'queued', kind = excluded.kind, tx_id = null, log_index = null, result = null, tries = 0,
    not_before = excluded.not_before, updated_at = now()
  where work_item.state in ('failed', 'review', 'held');
  return claimed.id;
end $$;
select allow('{api}', '{execute}', '{function claim_invoice_authorization(json)}');

-- Withdraws an authorization for which nothing was ever signed, for another one (at once) or because it has waited too
-- long (as withdraw_claim). False when it can't be withdrawn.
create function withdraw_invoice_authorization(wanted uuid, is_replaced boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  item work_item;
  claimed invoice_authorization;
begin
  select w.* into item from work_item w where w.dedupe_key = invoice_authorization_work(wanted) for update;
  select a.* into claimed from invoice_authorization a where a.id = wanted for update;
  if item.id is null or claimed.id is null or claimed.status <> 'pending'
    or item.carried_by is not null or item.state = 'assigned'
    or not (is_replaced or may_withdraw(item, claimed.valid_before)) then
    return false;
  end if;
  update work_item w set state = 'failed', updated_at = now() where w.id = item.id;
  update invoice_authorization a set gas_booked = 0, version = a.version + 1,
    status = case when is_replaced then 'replaced' else 'failed' end,
    reason = case when not is_replaced then 'unexpected_settle_error' end
  where a.id = wanted;
  perform pg_notify('x402_decided', wanted::text);
  return true;
end $$;
select allow('{api}', '{execute}', array['function withdraw_invoice_authorization(uuid, boolean)']);

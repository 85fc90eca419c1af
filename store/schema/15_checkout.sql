-- Checkout: what merchants offer, and the sessions in which payers choose and pay.

-- One row, from which the names of invoices' own sessions are derived: sessions are created only when their
-- page is opened, and creating an invoice writes nothing more.
create table checkout_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null check (length(key) = 16)
);
insert into checkout_key (key)
select substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16);
select allow('{api}', '{select}', '{table checkout_key}');
select withhold('{worker, notifier, indexer}', '{table checkout_key}');

-- What payers see of a merchant, and what its prices say where they say nothing of their own.
create table merchant_page (
  merchant_id uuid primary key references merchant (id),
  -- Null for the name that the merchant was created with.
  name text check (length(name) between 1 and 80),
  logo bytea check (length(logo) <= 65536),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- Names the logo in URLs; another one with every logo, so that caches may keep it for ever.
  logo_id text unique,
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  support_email text check (length(support_email) <= 254),
  support_url text check (length(support_url) <= 2048),
  return_url text check (length(return_url) <= 2048),
  allowed_origins text[] not null default '{}' check (cardinality(allowed_origins) <= 50),
  languages text[] not null default '{}' check (cardinality(languages) <= 50),
  -- The payment window of a session, in seconds; null for the usual one.
  default_expiry integer check (default_expiry > 0),
  -- An amount in the token's major unit, or basis points.
  underpayment_tolerance text not null default '0'
    check (underpayment_tolerance ~ '^((0|[1-9][0-9]*)(\.[0-9]+)?|[1-9][0-9]?bps|100bps)$'),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  check ((logo is null) = (logo_type is null) and (logo is null) = (logo_id is null))
);
select allow('{api}', '{select, insert, update}', '{table merchant_page}');
select withhold('{worker, notifier, indexer}', '{table merchant_page}');

-- What a merchant offers in checkout.
create table price (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  -- In major units, because the tokens of a price may differ in their decimals.
  amount text not null check (amount ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'),
  -- Of the amount; null for the tokens themselves.
  currency text check (currency ~ '^[A-Z]{3}$'),
  tokens text[] not null check (cardinality(tokens) > 0),
  -- Empty for all chains that have the token.
  chains text[] not null,
  description text check (length(description) between 1 and 500),
  -- The payment window of each session, in seconds; null for the merchant's usual one.
  expires_after integer check (expires_after > 0),
  -- As of the merchant's page; null for the merchant's usual.
  underpayment_tolerance text
    check (underpayment_tolerance ~ '^((0|[1-9][0-9]*)(\.[0-9]+)?|[1-9][0-9]?bps|100bps)$'),
  metadata jsonb not null default '{}',
  -- A one-time price has one session that can be paid at a time, and none once that was paid.
  is_reusable boolean not null,
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Sessions still show what they offered, so that a price is never removed.
  deleted_at timestamptz
);
create index price_by_merchant on price (merchant_id, created_at desc, id desc)
  where deleted_at is null;
select allow('{api}', '{select, insert}', '{table price}');
select allow('{api}', '{update}', '{table price}',
  '{description, expires_after, metadata, active, version, updated_at, deleted_at}');
select withhold('{worker, notifier, indexer}', '{table price}');

-- A public address that creates a session for each payer.
create table payment_link (
  id uuid primary key,
  -- 16 random bytes, because with it anyone may pay.
  slug text not null unique check (slug ~ '^[A-Za-z0-9_-]{22}$'),
  merchant_id uuid not null,
  price_id uuid not null references price (id),
  -- How many payments it takes; null for any number.
  uses_limit integer check (uses_limit > 0),
  ends_at timestamptz,
  active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index payment_link_by_merchant on payment_link (merchant_id, created_at desc, id desc);
select allow('{api}', '{select, insert}', '{table payment_link}');
select allow('{api}', '{update}', '{table payment_link}', '{price_id, uses_limit, ends_at, active, updated_at}');
select withhold('{worker, notifier, indexer}', '{table payment_link}');

-- A payer's way to an invoice. Merchant, price, link and invoice are named without a foreign key, which would
-- have payers wait for each other, or for work on the invoice.
create table checkout_session (
  id text primary key check (id ~ '^cs_[A-Za-z0-9_-]{22}$'),
  merchant_id uuid not null,
  -- Null for the session of an invoice that the merchant created.
  price_id uuid,
  link_id uuid,
  client_reference text check (length(client_reference) between 1 and 255),
  -- Whether a browser created it. What a server created is found by its reference with the secret key only.
  by_publishable boolean not null default false,
  -- The invoice that is to be paid now; null until the payer has chosen.
  invoice_id uuid,
  -- The session that had the reference before and ended without any money. It gives the reference up, so that a
  -- reference has one session at most; without a foreign key, because unused sessions are removed.
  former_id text,
  -- An unused session whose former one has an invoice stays: by it, money that comes late for the former is
  -- found. It may be removed once another session has taken the reference and names the former itself.
  keeps_former boolean not null default false,
  -- Until when the payer may choose, and pay what was chosen. Null while the invoice alone says it.
  expires_at timestamptz,
  refund_address evm_address,
  return_url text check (length(return_url) <= 2048),
  -- Grows with each change of this row.
  version integer not null default 1,
  created_at timestamptz not null,
  unique (merchant_id, price_id, by_publishable, client_reference),
  check (price_id is not null or invoice_id is not null),
  check ((price_id is not null) = (expires_at is not null))
);
create index checkout_session_of_price on checkout_session (price_id, created_at desc);
-- Unused sessions that may be removed: those that are kept for their former ones are not read again in every
-- pass.
create index checkout_session_removable on checkout_session (expires_at)
  where invoice_id is null and not keeps_former;
-- The newest sessions of a price that money may have come for.
create index checkout_session_chosen on checkout_session (price_id, created_at desc)
  where invoice_id is not null;
select allow('{api}', '{select, insert}', '{table checkout_session}');
select allow('{api}', '{update}', '{table checkout_session}',
  '{client_reference, invoice_id, keeps_former, refund_address, return_url, version}');
select allow('{worker}', '{select}', '{table checkout_session}', '{id, invoice_id, keeps_former, expires_at}');
select allow('{worker}', '{delete}', '{table checkout_session}');
select withhold('{worker, notifier, indexer}', '{table checkout_session}');

-- Every invoice that a session has had, the present one included.
create table checkout_session_invoice (
  invoice_id uuid primary key,
  session_id text not null references checkout_session (id) on delete cascade,
  merchant_id uuid not null,
  link_id uuid,
  -- Created because a payer continued, and not by the merchant.
  by_payer boolean not null,
  -- Where a payer's choice came from: the client's address, and the wider networks that it is in (who has a
  -- network of IPv6 has any number of addresses), under the key of the sessions, so that they are recognised
  -- and not readable. Null for what the merchant created.
  client_tag text check (length(client_tag) <= 64),
  network_tags text[]
    check (cardinality(network_tags) <= 3 and length(array_to_string(network_tags, '')) <= 192),
  created_at timestamptz not null,
  -- When it was first paid; a worker writes it.
  paid_at timestamptz
);
create index checkout_session_invoices on checkout_session_invoice (session_id, created_at);
-- What payers had created and did not pay, counted against the merchant's limit of a day.
create index checkout_unpaid on checkout_session_invoice (merchant_id, created_at)
  where by_payer and paid_at is null;
create index payment_link_uses on checkout_session_invoice (link_id) where paid_at is not null;
select allow('{api, worker}', '{select}', '{table checkout_session_invoice}');
select allow('{api}', '{insert}', '{table checkout_session_invoice}',
  '{invoice_id, session_id, merchant_id, link_id, by_payer, client_tag, network_tags, created_at}');
select allow('{worker}', '{update}', '{table checkout_session_invoice}', '{paid_at}');
select withhold('{notifier, indexer}', '{table checkout_session_invoice}');

-- Leaves an address with a session and its invoices. Once money was received, the first address stays: another
-- person who has the page's address must not redirect the money. False when it was not taken.
create function leave_refund_address(of_session text, wanted text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update checkout_session s set refund_address = wanted,
    version = version + case when refund_address is distinct from wanted then 1 else 0 end
  where s.id = of_session and (refund_address is null or refund_address = wanted or not exists (
    select from checkout_session_invoice o join payment p on p.invoice_id = o.invoice_id
    where o.session_id = of_session));
  if not found then return false; end if;
  update invoice set payer_refund_address = wanted
  where id in (
    select i.id from checkout_session_invoice o join invoice i on i.id = o.invoice_id
    where o.session_id = of_session and i.payer_refund_address is distinct from wanted
    -- In the order in which everybody locks several invoices.
    order by i.id for update of i);
  return true;
end $$;
select allow('{api}', '{execute}', array['function leave_refund_address(text, text)']);

-- Transaction hashes that payers have pasted, with what was found last.
create table hash_lookup (
  session_id text not null references checkout_session (id) on delete cascade,
  hash evm_hash not null,
  -- elsewhere: it pays something else; looking: a chain did not answer yet.
  verdict text not null check (verdict in ('payment', 'other_network', 'other_token', 'elsewhere', 'failed',
    'not_mined', 'unknown', 'looking')),
  network_id text,
  at timestamptz not null,
  primary key (session_id, hash)
);
create index hash_lookup_newest on hash_lookup (session_id, at desc);
select allow('{api}', '{select, insert, update, delete}', '{table hash_lookup}');
select withhold('{worker, notifier, indexer}', '{table hash_lookup}');

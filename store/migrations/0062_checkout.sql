-- Checkout: what merchants offer, and the sessions in which payers choose and pay.

-- One row, from which the names of invoices' own sessions are derived: they are made only when somebody
-- looks at them, and creating an invoice writes nothing more.
create table checkout_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null check (length(key) = 16)
);
insert into checkout_key (key)
select substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16);

-- What payers see of a merchant.
create table merchant_page (
  merchant_id uuid primary key references merchant (id),
  -- Null for the name that the merchant was created with.
  name text check (length(name) between 1 and 80),
  logo bytea check (length(logo) <= 65536),
  logo_type text check (logo_type in ('image/png', 'image/svg+xml')),
  -- Names the logo in URLs; another one with every logo, so that caches may keep it for ever.
  logo_id text unique,
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  support_email text check (length(support_email) <= 254),
  support_url text check (length(support_url) <= 2048),
  return_url text check (length(return_url) <= 2048),
  allowed_origins text[] not null default '{}' check (cardinality(allowed_origins) <= 50),
  -- For how many seconds a session can be paid whose price says nothing; null for the usual time.
  default_expiry integer check (default_expiry > 0),
  languages text[] not null default '{}' check (cardinality(languages) <= 50),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  check ((logo is null) = (logo_type is null) and (logo is null) = (logo_id is null))
);

create table price (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  -- In major units, because the tokens of a price may differ in their decimals.
  amount text not null check (amount ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'),
  tokens text[] not null check (cardinality(tokens) > 0),
  -- Empty for all chains that have the token.
  chains text[] not null,
  description text check (length(description) between 1 and 500),
  -- For how many seconds each session can be paid; null for the merchant's usual time.
  expires_after integer check (expires_after > 0),
  metadata jsonb not null default '{}',
  -- A one-time price has one session that can be paid at a time, and none once that was paid.
  is_reusable boolean not null,
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Sessions still show what they offered, so that a price is never gone.
  deleted_at timestamptz
);
create index price_by_merchant on price (merchant_id, created_at desc, id desc)
  where deleted_at is null;

create table payment_link (
  id uuid primary key,
  -- 16 random bytes, because whoever has it may pay.
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

-- Merchant, price and link are named without a foreign key, which would have all payers lock one row.
create table checkout_session (
  id text primary key check (id ~ '^cs_[A-Za-z0-9_-]{22}$'),
  merchant_id uuid not null,
  -- Null for the session of an invoice that the merchant created.
  price_id uuid,
  link_id uuid,
  client_reference text check (length(client_reference) between 1 and 255),
  -- Whether a browser made it. What a server made is found by its reference with the secret key only.
  by_publishable boolean not null default false,
  -- The invoice that is to be paid now; null until the payer has chosen.
  invoice_id uuid references invoice (id),
  -- Grows with each change of this row.
  version integer not null default 1,
  -- Until when the payer may choose, and pay what was chosen. Null while the invoice alone says it.
  expires_at timestamptz,
  refund_address evm_address,
  return_url text check (length(return_url) <= 2048),
  created_at timestamptz not null,
  unique (merchant_id, price_id, by_publishable, client_reference),
  check (price_id is not null or invoice_id is not null),
  check ((price_id is not null) = (expires_at is not null))
);
create index checkout_session_of_price on checkout_session (price_id, created_at desc);

-- Every invoice that a session has had, the present one included.
create table checkout_session_invoice (
  invoice_id uuid primary key references invoice (id),
  session_id text not null references checkout_session (id) on delete cascade,
  merchant_id uuid not null,
  link_id uuid,
  -- Made because a payer went on, and not by the merchant.
  by_payer boolean not null,
  created_at timestamptz not null,
  -- When it was first paid; a worker writes it.
  paid_at timestamptz
);
create index checkout_session_invoices on checkout_session_invoice (session_id, created_at);
-- What payers had made and nobody paid, counted against the merchant's limit of a day.
create index checkout_unpaid on checkout_session_invoice (merchant_id, created_at)
  where by_payer and paid_at is null;
create index payment_link_uses on checkout_session_invoice (link_id) where paid_at is not null;

-- Transaction hashes that payers have pasted, with what was found last.
create table hash_lookup (
  session_id text not null references checkout_session (id) on delete cascade,
  hash evm_hash not null,
  verdict text not null check (verdict in ('payment', 'other_network', 'other_token', 'elsewhere',
    'failed', 'not_mined', 'unknown', 'looking')),
  network_id text,
  at timestamptz not null,
  primary key (session_id, hash)
);
create index hash_lookup_newest on hash_lookup (session_id, at desc);

select allow('{api}', '{select}', '{table checkout_key, table merchant_page, table price,
  table payment_link, table checkout_session, table checkout_session_invoice, table hash_lookup}');
select allow('{api}', '{insert}', '{table merchant_page, table price, table payment_link,
  table checkout_session, table hash_lookup}');
select allow('{api}', '{insert}', '{table checkout_session_invoice}',
  '{invoice_id, session_id, merchant_id, link_id, by_payer, created_at}');
select allow('{api}', '{update}', '{table merchant_page, table hash_lookup}');
select allow('{api}', '{update}', '{table price}',
  '{description, expires_after, metadata, active, version, updated_at, deleted_at}');
select allow('{api}', '{update}', '{table payment_link}',
  '{price_id, uses_limit, ends_at, active, updated_at}');
select allow('{api}', '{update}', '{table checkout_session}',
  '{invoice_id, version, refund_address, return_url}');
select allow('{worker}', '{select}', '{table checkout_session_invoice}');
select allow('{worker}', '{update}', '{table checkout_session_invoice}', '{paid_at}');
select withhold('{worker}', '{table checkout_key, table merchant_page, table price, table payment_link,
  table checkout_session, table hash_lookup}');
select withhold('{notifier, indexer}', '{table checkout_key, table merchant_page, table price,
  table payment_link, table checkout_session, table checkout_session_invoice, table hash_lookup}');

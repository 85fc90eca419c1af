-- Prices in money of a country: what was asked for, and the rate by which it became an amount of a token.

-- Written with the invoice and never changed. No row has one yet, so that there is nothing to look through.
alter table invoice add column fiat jsonb;
alter table invoice add constraint invoice_fiat_whole check (fiat is null or (
    fiat ->> 'currency' ~ '^[A-Z]{3}$'
    and fiat ->> 'amount' ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'
    and fiat ->> 'rate' ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'
    and fiat ->> 'at' is not null
    and fiat ->> 'source' is not null
  ) is true) not valid;
select allow('{api}', '{insert}', '{table invoice}', '{fiat}');

-- What the amount of a price is in; null for the tokens themselves.
alter table price add column currency text check (currency ~ '^[A-Z]{3}$');

-- The newest rate of each pair that the operator's source gave and that was taken.
create table fiat_rate (
  -- EUR/USD: how many dollars one euro is worth.
  pair text primary key check (pair ~ '^[A-Z]{3}/[A-Z]{3}$'),
  rate text not null check (rate ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'),
  -- The moment of which the source says it.
  at timestamptz not null,
  source text not null,
  -- What new rates must not be too far from: the one of about a day ago.
  anchor text not null check (anchor ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'),
  anchored_at timestamptz not null,
  -- The newest rate that was too far from it, and since when they are; null once one is near again.
  refused text check (refused ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'),
  refused_since timestamptz,
  check ((refused is null) = (refused_since is null))
);
select allow('{api}', '{select, insert, update}', '{table fiat_rate}');
select withhold('{worker, notifier, indexer}', '{table fiat_rate}');

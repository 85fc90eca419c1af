/** The tables that readers see where Ponder's views are in production: indexer/ponder.schema.ts. */
export const INDEXED = `
create schema indexed;
create table indexed.transfer (
  chain_id integer not null, block_hash text not null, log_index integer not null,
  block_number bigint not null, block_timestamp bigint not null, tx_hash text not null,
  token text not null, "from" text not null, "to" text not null, amount numeric(78, 0) not null,
  primary key (chain_id, block_hash, log_index));
create index on indexed.transfer (chain_id, block_number);
create table indexed.forwarder (
  chain_id integer not null, address text not null, block_number bigint not null,
  primary key (chain_id, address));
create table indexed.hub_event (
  chain_id integer not null, block_hash text not null, log_index integer not null,
  block_number bigint not null, block_timestamp bigint not null, tx_hash text not null,
  kind text not null, merchant_id text, account text, token text, receiver text,
  amount numeric(78, 0), fee numeric(78, 0), reference text,
  primary key (chain_id, block_hash, log_index));
create index on indexed.hub_event (chain_id, block_timestamp);
create index on indexed.hub_event (chain_id, tx_hash);
create table indexed._ponder_checkpoint (
  chain_name text primary key, chain_id bigint not null, latest_checkpoint varchar(75) not null);
grant usage on schema indexed to public;
grant select on all tables in schema indexed to public`

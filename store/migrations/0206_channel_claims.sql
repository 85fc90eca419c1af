-- Claims of one withdrawal that were refused on-chain: each costs gas, so that few are tried.
alter table x402_channel add column auto_failures smallint not null default 0;

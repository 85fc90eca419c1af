-- Payers that were seen to have code when their plain payments were carried out, whatever they had when these
-- were claimed: a delegation (EIP-7702) comes and goes within a block. They travel with the wallets from then
-- on, one payment at a time, until they have not been seen so for a month.
create table x402_code_payer (
  network_id text not null,
  payer evm_address not null,
  seen_at timestamptz not null default now(),
  primary key (network_id, payer)
);
create index x402_code_payer_seen on x402_code_payer (seen_at);
select allow('{worker}', '{select, insert, update, delete}', '{table x402_code_payer}');
select allow('{api}', '{select}', '{table x402_code_payer}');
select withhold('{notifier, indexer}', '{table x402_code_payer}');

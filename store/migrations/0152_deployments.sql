-- The calls by which factories create wallets that pay before they exist (ERC-6492).
create table x402_deployment (
  payment_id uuid primary key references x402_payment (id) on delete cascade,
  factory evm_address not null,
  calldata text not null check (calldata ~ '^0x([0-9a-f]{2})*$' and length(calldata) <= 16386)
);

select allow('{api}', '{select, insert, update}', '{table x402_deployment}');
select allow('{worker}', '{select}', '{table x402_deployment}');
select withhold('{notifier, indexer}', '{table x402_deployment}');

-- What valid answers of verify hold of payers' balances for some seconds. Neither table is logged: after a
-- crash of the database the holds are gone, which costs a server one answer, and never money.

-- One authorization's hold.
create unlogged table x402_hold (
  network_id text not null,
  asset evm_address not null,
  payer evm_address not null,
  authorization_nonce evm_hash not null,
  amount positive_units not null,
  until timestamptz not null,
  primary key (payer, authorization_nonce, asset, network_id)
);
-- Those that are over are removed.
create index x402_hold_over on x402_hold (until);

-- What holds that end together come to: a payer's are added up by their seconds, however many there are.
create unlogged table x402_held (
  network_id text not null,
  asset evm_address not null,
  payer evm_address not null,
  until timestamptz not null,
  amount base_units not null,
  primary key (payer, asset, network_id, until)
);
create index x402_held_over on x402_held (until);

select allow('{api}', '{select, insert, update, delete}', '{table x402_hold, table x402_held}');
select withhold('{worker, notifier, indexer}', '{table x402_hold, table x402_held}');

-- Payers with code may burn what gas they are given, whatever they said in a trial. What they may cost is
-- bounded by payer and by code.

-- The first 8 bytes of the hash of the payer's code when it was claimed; null without code, or unknown.
alter table x402_payment add column payer_code text
  check (octet_length(payer_code) = 18 and payer_code ~ '^0x[0-9a-f]+$');

-- Payers with code whose last try paid nothing: nothing of theirs is sent before the pause is over.
create table x402_wallet_pause (
  network_id text not null,
  payer evm_address not null,
  -- Tries in succession that paid nothing.
  failures integer not null check (failures > 0),
  until timestamptz not null,
  primary key (network_id, payer)
);
-- Those that are long over are removed.
create index x402_wallet_pause_over on x402_wallet_pause (until);

-- Held: it was tried and failed for no reason that the chain knows. It is sent again when it is asked for.
alter table work_item drop constraint work_item_state_check;
alter table work_item add constraint work_item_state_check check (
  state in ('queued', 'assigned', 'settled', 'failed', 'review', 'held')
);
alter table work_item add constraint work_item_held_check check ((state = 'held') <= (tx_id is null));
-- What wallets have in flight.
create index work_item_wallets_assigned on work_item (network_id)
  where kind = 'x402_wallet' and state = 'assigned';

alter table x402_endpoint add column accepts_wallets boolean not null default true;

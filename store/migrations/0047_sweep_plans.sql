-- What a sweep tells the hub, besides whom it pays: decided with the row, before anything is sent.
alter table settlement
  -- What must be left in the deposit, in the same token: all that the ledger knows to be there, but for
  -- what this sweep takes.
  add column leave base_units not null default 0,
  -- Whether this sweep is the one that creates the deposit's contract.
  add column deploys boolean not null default false,
  -- It has ended because the deposit was not as it was when the sweep was planned. That is no failure: a
  -- later round does its work.
  add column replanned boolean not null default false,
  -- What the chain showed of the deposit when the round had ended without moving anything: in which
  -- confirmed block, whether the contract was there, and what could still be charged on it.
  add column found_block bigint,
  add column found_deployed boolean,
  add column found_fee_left base_units,
  add constraint settlement_replanned check (not replanned or status = 'failed'),
  add constraint settlement_found check (
    num_nonnulls(found_block, found_deployed, found_fee_left) in (0, 3));

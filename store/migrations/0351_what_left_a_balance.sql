-- remit: statements
-- A balance may have been read before a block whose payments are confirmed by now, by a process that stood still or
-- where few confirmations are asked for.
create index concurrently if not exists x402_payment_confirmed_of_payer on x402_payment (payer, block_number)
  where confirmed_at is not null;
create index concurrently if not exists invoice_authorization_confirmed_of_payer
  on invoice_authorization (payer, block_number) where confirmed_at is not null;
create index concurrently if not exists x402_channel_action_confirmed_of_payer
  on x402_channel_action (payer, block_number) where confirmed_at is not null and payer is not null;

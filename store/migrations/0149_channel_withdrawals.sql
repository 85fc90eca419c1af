-- A payer who withdraws from a channel takes back what nobody has claimed. What servers have signed for is
-- claimed before that, and paid out to the receiver.
alter table x402_channel add column auto_claim_id uuid references x402_channel_action (id);
alter table x402_channel add column auto_claimed_at timestamptz;

-- Nobody has asked for it: the payer withdraws. `followed_at`: its receiver was paid out, or is owed too little.
alter table x402_channel_action add column is_automatic boolean not null default false;
alter table x402_channel_action add column followed_at timestamptz;
create index x402_channel_auto_claims on x402_channel_action (network_id)
  where is_automatic and kind = 'claim' and status = 'settled' and followed_at is null;

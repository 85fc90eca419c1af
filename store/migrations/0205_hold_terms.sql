-- What a hold is of: a payer can sign one nonce for many things, and only one of them is held. Null is what the
-- release before this one has written.
alter table x402_hold add column terms text check (length(terms) <= 512);

-- What a turn looks for must not take longer the more has ever happened. Each of these indexes holds what
-- is still to be done, repeats the condition of its statement, and stays small among millions of rows.

-- What relayers look after: signed, mined and not final, or with a taken nonce that is not decided.
create index relayer_tx_unfinished on relayer_tx (network_id, address, account_nonce)
  where state in ('signed', 'mined') or (state = 'nonce_taken' and confirmed_at is null);
-- Both are a part of it.
drop index relayer_tx_open;
drop index relayer_tx_unfinal;

-- Invoices that a leader looks at again. Those that wait for a recipient, or for more money, are made due
-- by what they wait for.
create index invoice_due on invoice (id) where settlement_state in ('due', 'failed');
drop index invoice_settlement_due;
-- Money that goes nowhere by itself, of which a merchant asks, and which a recipient sets in motion.
create index invoice_unsettled on invoice (merchant_id)
  where settlement_state in ('no_recipient', 'below_gas_threshold', 'failed');
create index invoice_partial on invoice (merchant_id) where status = 'partial';

-- By the chains that an invoice lists: those of a chain that stands still are not read again and again.
drop index invoice_expiring;
create index invoice_expiring on invoice (chains, least(expires_at, closed_at))
  where expiry_announced_at is null and status in ('pending', 'partial') and pending_amount = 0
    and (expires_at is not null or closed_at is not null);

-- Payments by somebody else's transaction that are to be confirmed.
create index x402_payment_by_others_open on x402_payment (network_id, block_number)
  where status = 'settled' and by_others and confirmed_at is null;
-- Payouts in blocks that were replaced.
create index x402_distribution_by_block on x402_distribution (network_id, block_number);
-- Deliveries that an endpoint did not take, which it may ask for once more.
create index webhook_delivery_failed on webhook_delivery (endpoint_id, event_id)
  where state = 'failed';
-- The hubs that addresses were derived from, of which there are few.
create index invoice_hub on invoice (hub);
create index forwarder_hub on forwarder (hub);

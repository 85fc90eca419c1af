-- What GraphQL answers from: views of money through which one merchant, or the operator, sees rows.

-- Whether the views below show a merchant's rows: those of the merchant that the transaction has set in
-- remit.merchant, or of all. Without a setting there are none. Statements have a condition of their own, for
-- indexes; this is for one that forgets it.
create function is_seen(merchant uuid) returns boolean language sql stable parallel safe as $$
  select current_setting('remit.merchant', true) in (merchant::text, 'all')
$$;
select allow('{api}', '{execute}', '{function is_seen(uuid)}');

create view seen_movement as
  select * from (
    select merchant_id, day, network_id, token, type, movements, amount, fee from movement_tally
    union all
    select merchant_id, day, network_id, token, type, movements, amount, fee
    from movement_tally_change
  ) m where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_movement}');
create view seen_endpoint_movement as
  select * from (
    select merchant_id, day, network_id, token, endpoint_id, payments, amount
    from x402_endpoint_tally
    union all
    select merchant_id, day, network_id, token, endpoint_id, movements, amount
    from movement_tally_change where endpoint_id is not null
  ) m where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_endpoint_movement}');
-- Of all merchants together, so for the operator alone.
create view seen_money_day as
  select * from (
    select day, network_id, token, type, movements, amount, fee from money_day
    union all
    select day, network_id, token, type, movements, amount, fee from movement_tally_change
  ) m where current_setting('remit.merchant', true) = 'all';
select allow('{api}', '{select}', '{table seen_money_day}');
create view seen_merchant as select id, name from merchant where is_seen(id);
select allow('{api}', '{select}', '{table seen_merchant}');
create view seen_endpoint as
  select id, merchant_id, url, active from x402_endpoint where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_endpoint}');
create view seen_invoice as
  select id, merchant_id, reference, target_network, paid_at, completed_at, deposit_address
  from invoice where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_invoice}');
create view seen_payment as
  select id, merchant_id, network_id, token, sender, amount, kind, status, confirmed_at
  from payment where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_payment}');
create view seen_settlement as
  select id, merchant_id, invoice_id, network_id, token, amount, fee, fee_owed, recipient, tx_hash,
    block_number, created_at, confirmed_at, status
  from settlement where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_settlement}');
create view seen_refund as
  select id, merchant_id, invoice_id, network_id, token, amount, recipient, tx_hash, block_number,
    created_at, confirmed_at, status, order_number, x402_payment_id
  from refund where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_refund}');
create view seen_x402_payment as
  select id, merchant_id, endpoint_id, network_id, asset, payer, authorization_nonce, amount, tx_hash,
    created_at, settled_at, confirmed_at
  from x402_payment where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_x402_payment}');
create view seen_payout as
  select id, merchant_id, network_id, token, treasury, remitted, fee, fee_held, tx_hash, log_index,
    block_number, block_time
  from x402_distribution where is_seen(merchant_id);
select allow('{api}', '{select}', '{table seen_payout}');

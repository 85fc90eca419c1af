-- Payments of invoices in GraphQL, with how they were sent.
create or replace view seen_payment as
  select p.id, p.merchant_id, p.network_id, p.token, p.sender, p.amount, p.kind, p.status, p.confirmed_at,
    p.invoice_id, p.fee, p.tx_hash, p.created_at,
    (select i.deposit_address from invoice i where i.id = p.invoice_id) as deposit,
    coalesce((
      select a.method from invoice_authorization a
      where a.invoice_id = p.invoice_id and a.network_id = p.network_id and a.tx_hash = p.tx_hash
        and a.log_index = p.log_index
    ), 'transfer') as method
  from payment p where is_seen(p.merchant_id);

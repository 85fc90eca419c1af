-- Invoices are never deleted, and a foreign key would have whoever opens a page wait for whoever works on
-- the invoice.
alter table checkout_session drop constraint checkout_session_invoice_id_fkey;
alter table checkout_session_invoice drop constraint checkout_session_invoice_invoice_id_fkey;

-- Where a payer wants money back, if any goes back: shown to the merchant, and used by nobody by itself.
alter table invoice add column payer_refund_address evm_address;

-- Leaves the address with a session and its invoices. Once anything has arrived, the first one stays: who
-- else has the page's address must not have the money sent to himself. False when it was not taken.
create function leave_refund_address(of_session text, wanted text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update checkout_session s set refund_address = wanted,
    version = version + case when refund_address is distinct from wanted then 1 else 0 end
  where s.id = of_session and (refund_address is null or refund_address = wanted or not exists (
    select from checkout_session_invoice o join payment p on p.invoice_id = o.invoice_id
    where o.session_id = of_session));
  if not found then return false; end if;
  update invoice set payer_refund_address = wanted
  where id in (
    select i.id from checkout_session_invoice o join invoice i on i.id = o.invoice_id
    where o.session_id = of_session and i.payer_refund_address is distinct from wanted
    -- In the order in which everybody locks several invoices.
    order by i.id for update of i);
  return true;
end $$;
select allow('{api}', '{execute}', '{"function leave_refund_address(text, text)"}');

-- Of the hashes that were pasted into a session, the newest are kept.
select allow('{api}', '{delete}', '{table hash_lookup}');

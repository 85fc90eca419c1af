-- Money that no log and no transaction shows, but the balance of a deposit before and after a block. In the place of its
-- log's index is a number below -1, which is the same for a deposit and a token in every block.
alter table payment drop constraint payment_log_index;
alter table payment add constraint payment_log_index check (
  case when token = '0x0000000000000000000000000000000000000000' then log_index <= -1
    else log_index <> -1 end) not valid;

-- A balance grows once in a block, whichever of its transactions is named: who comes second finds it recorded.
create or replace function submit_transfer(
  of_invoice uuid, new_id uuid, on_network text, in_tx text, at_log integer, of_token text,
  from_sender text, of_amount numeric, as_kind text, in_block bigint, with_hash text, at timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  known payment;
begin
  if at_log < -1 and exists (
    select from payment
    where invoice_id = of_invoice and network_id = on_network and log_index = at_log
      and block_hash = with_hash and status <> 'reverted')
  then
    return;
  end if;
  select * into known from payment
  where network_id = on_network and tx_hash = in_tx and invoice_id = of_invoice and token = of_token
    and sender = from_sender and amount = of_amount
    and (block_hash <> with_hash or log_index = at_log)
  order by block_hash = with_hash desc, log_index = at_log desc, status <> 'reverted' desc,
    detected_order
  limit 1 for update;
  if known.id is null then
    insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind,
      status, block_number, block_hash, block_time)
    values (new_id, of_invoice, on_network, in_tx, at_log, of_token, from_sender, of_amount, as_kind,
      'pending', in_block, with_hash, at);
  elsif known.status = 'reverted' then
    update payment set status = 'pending', confirmed_at = null, log_index = at_log,
      kind = case when accepted_at is null then as_kind else 'counted' end,
      block_number = in_block, block_hash = with_hash, block_time = at
    where id = known.id;
  else
    return;
  end if;
  insert into invoice_change (invoice_id, cause, payment_kind, was_reverted)
  values (of_invoice, 'observed', case when known.accepted_at is null then as_kind else known.kind end,
    known.id is not null);
end $$;

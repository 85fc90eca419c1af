-- A refund that a merchant has sent is told apart from others by what it transfers, and by its place among the
-- transfers of its transaction that are alike: that can be read without the transaction's other logs, of which
-- there may be any number. Its place among all of them is only known of those from before.
alter table external_refund
  add column alike_place integer not null default 0,
  alter column log_place drop not null,
  add constraint external_refund_alike_place check (alike_place >= 0) not valid;

-- What a merchant says to have sent back. It counts for nothing before a worker has read it from the chain, and
-- all that is said of an invoice is no more than what settlements have taken of it.
create function record_sent_refund(
  new_id uuid, of_invoice uuid, on_network text, in_tx text, at_alike_place integer, of_token text,
  from_sender text, to_recipient text, of_amount numeric, in_block bigint, with_hash text
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from invoice where id = of_invoice for update;
  if not may_be_external_refund(of_invoice, from_sender, to_recipient) then
    raise exception 'a transfer to % gives nothing of invoice % back', to_recipient, of_invoice;
  end if;
  if of_amount > (
    select coalesce(sum(amount), 0) from settlement
    where invoice_id = of_invoice and status in ('mined', 'confirmed')
  ) - (
    select coalesce(sum(amount), 0) from external_refund
    where invoice_id = of_invoice and status <> 'failed'
  ) then
    raise exception 'invoice % has not so much to give back', of_invoice;
  end if;
  insert into external_refund (id, invoice_id, network_id, tx_hash, alike_place, token, sender, recipient,
    amount, block_number, block_hash, version)
  values (new_id, of_invoice, on_network, in_tx, at_alike_place, of_token, from_sender, to_recipient,
    of_amount, in_block, with_hash, 2);
end $$;

-- For processes of the release before, which know the place among all logs alone.
create or replace function record_external_refund(
  new_id uuid, of_invoice uuid, on_network text, in_tx text, at_place integer, of_token text,
  from_sender text, to_recipient text, of_amount numeric, in_block bigint, with_hash text
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform record_sent_refund(new_id, of_invoice, on_network, in_tx, (
    select count(*)::integer from external_refund
    where network_id = on_network and tx_hash = in_tx and token = of_token and sender = from_sender
      and recipient = to_recipient and amount = of_amount and status <> 'failed'
  ), of_token, from_sender, to_recipient, of_amount, in_block, with_hash);
  update external_refund set log_place = at_place where id = new_id;
end $$;

select allow('{api}', '{execute}',
  '{"function record_sent_refund(uuid, uuid, text, text, integer, text, text, text, numeric, bigint, text)"}');

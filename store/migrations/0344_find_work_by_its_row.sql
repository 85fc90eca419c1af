-- Work is found by the row that it advances, which has one item at most. The keys in text stay as long as the release
-- before reads them.

-- Withdraws a row for which nothing was ever signed: an x402 payment, an authorization of an invoice (`is_replaced`: at
-- once, for another one) or an action of channels. It locks the item before the row, as every change of both does: a
-- batch that holds the item keeps it. A new payment leaves no trace; what has failed before has failed again. No event
-- reports it. False when it can't be withdrawn (now).
create function withdraw_work(of_row uuid, is_replaced boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  item work_item;
begin
  select w.* into item from work_item w where w.subject_id = of_row for update;
  if item.id is null or item.carried_by is not null or item.state = 'assigned' then return false; end if;
  if item.kind = 'x402_channel' then
    update x402_channel_action a set status = 'failed', reason = 'unexpected_settle_error'
    where a.id = of_row and a.status = 'pending' and a.is_withdrawable and may_withdraw(item, a.valid_before);
  elsif item.payload ? 'invoiceId' then
    update invoice_authorization a set gas_booked = 0, version = a.version + 1,
      status = case when is_replaced then 'replaced' else 'failed' end,
      reason = case when not is_replaced then 'unexpected_settle_error' end
    where a.id = of_row and a.status = 'pending' and (is_replaced or may_withdraw(item, a.valid_before));
  else
    delete from x402_payment p
    where p.id = of_row and p.status = 'pending' and p.version = 1 and may_withdraw(item, p.valid_before);
    if found then
      delete from work_item w where w.id = item.id;
    else
      update x402_payment p set status = 'failed', reason = 'unexpected_settle_error'
      where p.id = of_row and p.status = 'pending' and p.version > 1 and may_withdraw(item, p.valid_before);
    end if;
  end if;
  if not found then return false; end if;
  update work_item w set state = 'failed', updated_at = now() where w.id = item.id;
  perform pg_notify('x402_decided', of_row::text);
  return true;
end $$;
select allow('{api}', '{execute}', array['function withdraw_work(uuid, boolean)']);

create or replace function resume_held(of_payment uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update work_item w set state = 'queued', tries = 0, result = null, not_before = now(), updated_at = now()
  from x402_payment p
  where p.id = of_payment and p.status = 'pending' and w.state = 'held' and w.subject_id = p.id
    and not exists (select from x402_wallet_pause b
      where b.network_id = p.network_id and b.payer = p.payer and b.until > now());
  return found;
end $$;

create or replace function settle_by_evidence(
  of_payment uuid, in_tx text, at_log integer, in_block bigint, with_hash text
) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update x402_payment p set status = 'settled', reason = null, tx_hash = in_tx, log_index = at_log,
    block_number = in_block, block_hash = with_hash, by_others = true, settled_at = now()
  where p.id = of_payment and p.status <> 'settled' and not exists (
    select from x402_payment o
    where o.network_id = p.network_id and o.tx_hash = in_tx and o.log_index = at_log);
  if not found then return false; end if;
  update work_item set state = 'settled', tx_id = null, result = jsonb_build_object('txHash', in_tx),
    updated_at = now()
  where subject_id = of_payment;
  perform pg_notify('x402_decided', of_payment::text);
  return true;
end $$;

-- What else finds the work of a refund: where it is held for an approval, and where that is carried out.
do $$
declare
  named record;
  definition text;
begin
  for named in select * from (values
    ('hold_refund', 'dedupe_key = ''refund:'' || of_refund', 'subject_id = of_refund'),
    ('carry_out_request', 'dedupe_key = ''refund:'' || asked.refund_id', 'subject_id = asked.refund_id')
  ) as f (name, by_key, by_row) loop
    definition := pg_get_functiondef(named.name::regproc);
    if position(named.by_key in definition) = 0 then raise exception '% finds no work by its key', named.name; end if;
    execute replace(definition, named.by_key, named.by_row);
  end loop;
end $$;

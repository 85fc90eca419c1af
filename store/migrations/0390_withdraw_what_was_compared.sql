-- A server of the database that took the place of another may lack the last commits, so that what waits by its rows may
-- have been sent. Servers are told apart by when they began.

-- The one that a worker has last compared with the chain. A chain that is watched for the first time has sent nothing.
alter table chain_state add column compared_server timestamptz not null default pg_postmaster_start_time();
-- The one that stored the item: what is stored since can't be among what was lost.
alter table work_item add column server timestamptz not null default pg_postmaster_start_time();

-- As before, and false for what another server has stored, until a worker has compared this one.
create or replace function withdraw_work(of_row uuid, is_replaced boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  item work_item;
begin
  select w.* into item from work_item w where w.subject_id = of_row for update;
  if item.id is null or item.carried_by is not null or item.state = 'assigned' then return false; end if;
  if item.server <> pg_postmaster_start_time() and exists (
    select from chain_state c
    where c.network_id = item.network_id and c.compared_server <> pg_postmaster_start_time()
  ) then return false; end if;
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
select allow('{worker}', '{execute}', array['function withdraw_work(uuid, boolean)']);

-- A role for each process, and what it may do. Roles belong to the whole server, so they are named after
-- the database: remit_api, remit_worker, remit_notifier and remit_indexer in a database "remit". They
-- can't log in until the operator lets them: `bun run remit database roles`.
--
-- Every later migration decides for its own tables, columns, sequences and functions: `allow` says what a
-- process may do, `withhold` what it may not read. A test finds what nobody has decided on.

-- The names stay what they were at first, also in a database that was copied or renamed.
do $$
begin
  execute format(
    'create function database_role(process text) returns name language sql immutable as '
    '$f$ select (%L || ''_'' || process)::name $f$', left(current_database(), 54));
end $$;

-- What was decided, so that it can be carried out once more for roles that are created later.
create table access_rule (
  process text not null check (process in ('api', 'worker', 'notifier', 'indexer')),
  -- As grant has it, e.g. "table invoice" or "function close_invoice(uuid)"; "database" is this one.
  object text not null,
  privilege text not null check (privilege in
    ('select', 'insert', 'update', 'delete', 'usage', 'create', 'execute', 'nothing')),
  -- Empty for the whole object.
  columns text[] not null default '{}',
  primary key (process, object, privilege)
);

create function carry_out(rule access_rule) returns void language plpgsql as $$
declare
  columns text := (select '(' || string_agg(quote_ident(c), ', ') || ')' from unnest(rule.columns) c);
  object text := case rule.object when 'database' then format('database %I', current_database())
    else rule.object end;
begin
  if rule.privilege = 'nothing' or to_regrole(quote_ident(database_role(rule.process))) is null then
    return;
  end if;
  execute format('grant %s %s on %s to %I', rule.privilege, columns, object,
    database_role(rule.process));
end $$;

-- Lets processes do this with each of the objects, or with these columns of it.
create function allow(processes text[], privileges text[], objects text[], of_columns text[] default '{}')
returns void language plpgsql as $$
declare
  rule access_rule;
begin
  for rule in
    insert into access_rule (process, object, privilege, columns)
    select p, o, v, of_columns
    from unnest(processes) p, unnest(privileges) v, unnest(objects) o
    on conflict (process, object, privilege) do update set columns = case
      when access_rule.columns = '{}' or excluded.columns = '{}' then '{}'
      else access_rule.columns || excluded.columns end
    returning *
  loop
    perform carry_out(rule);
  end loop;
end $$;

-- Says that processes read nothing of the objects, or none of these columns.
create function withhold(processes text[], objects text[], of_columns text[] default '{}')
returns void language sql as $$
  insert into access_rule (process, object, privilege, columns)
  select p, o, 'nothing', of_columns from unnest(processes) p, unnest(objects) o
  on conflict (process, object, privilege) do update set columns =
    access_rule.columns || excluded.columns
$$;

-- What the indexer makes at run time is its own, and is read by others. What an indexer with the owner's
-- rights has left here becomes the role's.
create function share_index() returns void language plpgsql as $$
declare
  indexer name := database_role('indexer');
  statement text;
begin
  -- A migrating user that is no superuser must belong to a role to give it anything.
  if not pg_has_role(current_user, indexer, 'usage') then
    execute format('grant %I to %I', indexer, current_user);
  end if;
  execute format('alter default privileges for role %I grant usage on schemas to %I, %I',
    indexer, database_role('api'), database_role('worker'));
  execute format('alter default privileges for role %I grant select on tables to %I, %I',
    indexer, database_role('api'), database_role('worker'));
  for statement in
    with own as (
      select oid, nspname, nspowner from pg_namespace
      where starts_with(nspname, 'deploy_') or nspname in ('ponder_sync', 'indexed')
    )
    select format('alter schema %I owner to %I', nspname, indexer)
    from own where nspowner <> indexer::regrole
    union all
    select format('grant usage on schema %I to %I, %I', nspname, database_role('api'),
      database_role('worker'))
    from own where nspname = 'indexed'
    union all
    select format('alter %s %I.%I owner to %I', case c.relkind
      when 'v' then 'view' when 'S' then 'sequence' else 'table' end, nspname, c.relname, indexer)
    from own join pg_class c on c.relnamespace = own.oid
    where c.relkind in ('r', 'p', 'v', 'S') and c.relowner <> indexer::regrole
      -- The sequence of an identity column follows its table.
      and not exists (select from pg_depend d
        where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to %I', p.oid::regprocedure, indexer)
    from own join pg_proc p on p.pronamespace = own.oid where p.proowner <> indexer::regrole
    union all
    select format('grant select on %I.%I to %I, %I', nspname, c.relname, database_role('api'),
      database_role('worker'))
    from own join pg_class c on c.relnamespace = own.oid
    where nspname = 'indexed' and c.relkind in ('r', 'v')
  loop
    execute statement;
  end loop;
end $$;

-- Creates the roles that are missing and carries all rules out. The answer are the roles that this user
-- may not create; while there are any, every process has to work with the rights of the owner.
create function settle_access() returns text[] language plpgsql as $$
declare
  missing text[] := '{}';
  process text;
  rule access_rule;
begin
  foreach process in array array['api', 'worker', 'notifier', 'indexer'] loop
    if to_regrole(quote_ident(database_role(process))) is null then
      begin
        execute format('create role %I nologin', database_role(process));
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then missing := missing || database_role(process)::text;
      end;
    end if;
  end loop;
  for rule in select * from access_rule order by object loop
    perform carry_out(rule);
  end loop;
  if missing = '{}' then
    -- A worker sends webhooks, too, unless it is told to follow one chain only.
    if not pg_has_role(database_role('worker'), database_role('notifier'), 'usage') then
      execute format('grant %I to %I', database_role('notifier'), database_role('worker'));
    end if;
    perform share_index();
  end if;
  return missing;
end $$;

-- Functions are nobody's unless they are allowed: some of them act with the rights of the owner.
alter default privileges revoke execute on functions from public;
revoke execute on function tally_new_invoices(), tally_changed_invoice(), tally_deliveries() from public;
select allow('{api,worker,notifier,indexer}', '{execute}', '{function database_role(text)}');
-- The temporary tables of whoever calls them come last, and no schema of the caller's at all.
alter function tally_new_invoices() set search_path = pg_catalog, public, pg_temp;
alter function tally_changed_invoice() set search_path = pg_catalog, public, pg_temp;
alter function tally_deliveries() set search_path = pg_catalog, public, pg_temp;

-- What the API has stored about an invoice, and no worker has derived yet. Figures, states, sweeps and
-- most events are the workers' to write, who take these rows away under the invoice's lock.
create table invoice_change (
  id bigint generated always as identity primary key,
  invoice_id uuid not null,
  cause text not null check (cause in ('observed', 'accepted', 'accepted_partly', 'refund_asked')),
  -- What was observed: the payment's kind, and whether it had been taken back before.
  payment_kind text,
  was_reverted boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  check ((cause = 'observed') = (payment_kind is not null))
);
create index invoice_change_of_invoice on invoice_change (invoice_id, id);

-- The hubs that this deployment pays through, as a worker or the operator has named them. The API may not
-- add one: money that is sent to what a strange hub commands is that hub's.
create table known_hub (
  address evm_address primary key,
  created_at timestamptz not null default now()
);
insert into known_hub (address)
select hub from forwarder union select hub from invoice;
create function refuse_strange_hub() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from known_hub where address = new.hub) then
    raise insufficient_privilege using message = 'no worker has named the hub ' || new.hub;
  end if;
  return new;
end $$;
create trigger forwarder_of_api before insert on forwarder for each row
  when (current_user = database_role('api')) execute function refuse_strange_hub();

-- The functions below are what the API may change beyond its own rows. Each states what may follow from a
-- row that anybody with the API's credentials could have written.

create function lock_invoice(wanted_id uuid) returns setof invoice
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from invoice where id = wanted_id for update
$$;

-- Keeps a merchant as it is until the transaction ends.
create function lock_merchant(wanted_id uuid) returns setof merchant
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from merchant where id = wanted_id for share
$$;

-- The first moment stands; an invoice that is paid stays as it is.
create function close_invoice(of_merchant uuid, wanted_id uuid, at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update invoice set closed_at = at, version = version + 1
  where id = wanted_id and merchant_id = of_merchant
    and closed_at is null and status in ('pending', 'partial')
$$;

create function accept_late_payment(of_invoice uuid, wanted_id uuid, at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update payment set kind = 'counted', accepted_at = at
  where id = wanted_id and invoice_id = of_invoice and kind = 'late' and status <> 'reverted'
    and refunded = 0 and refunding = 0;
  if not found then raise exception 'payment % can''t be accepted', wanted_id; end if;
  insert into invoice_change (invoice_id, cause) values (of_invoice, 'accepted');
end $$;

-- Takes for enough what is confirmed and was not given back. The fee is for a worker to allot anew.
create function accept_partly(of_invoice uuid, accepted numeric) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update invoice set accepted_amount = accepted
  where id = of_invoice and accepted < coalesce(accepted_amount, amount_expected) and accepted = (
    select sum(case status when 'confirmed' then amount else 0 end - refunded - refunding)
    from payment where invoice_id = of_invoice and kind = 'counted');
  if not found then raise exception 'invoice % has not received %', of_invoice, accepted; end if;
  insert into invoice_change (invoice_id, cause) values (of_invoice, 'accepted_partly');
end $$;

-- A refund goes to who sent the payments that it is taken from, unless the operator lets the merchant name
-- others, and is no more than what they have left.
create function ask_for_refund(
  new_id uuid, of_invoice uuid, key text, on_network text, of_token text, of_amount numeric,
  to_recipient text, of_payment uuid, of_parts jsonb
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  promised numeric;
begin
  insert into refund (id, invoice_id, idempotency_key, network_id, token, amount, recipient,
    payment_id, version)
  values (new_id, of_invoice, key, on_network, of_token, of_amount, to_recipient, of_payment, 2);
  with part as (
    select * from jsonb_to_recordset(of_parts) as r (payment_id uuid, amount numeric)
    where r.amount > 0
  ), taken as (
    update payment p set refunding = p.refunding + part.amount
    from part, invoice i, merchant m
    where p.id = part.payment_id and p.invoice_id = of_invoice and p.status = 'confirmed'
      and p.network_id = on_network and p.token = of_token
      and part.amount <= p.amount - p.refunded - p.refunding
      and i.id = of_invoice and m.id = i.merchant_id
      and (p.sender = to_recipient or m.refunds_any)
      and coalesce(of_payment, p.id) = p.id
    returning p.id, part.amount
  ), stored as (
    insert into refund_part (refund_id, payment_id, amount)
    select new_id, taken.id, taken.amount from taken
    returning refund_part.amount
  )
  select sum(stored.amount) into promised from stored;
  if promised is distinct from of_amount then
    raise exception 'refund % is not covered by payments of its recipient', new_id;
  end if;
  insert into work_item (network_id, kind, dedupe_key, payload)
  values (on_network, 'refund', 'refund:' || new_id, jsonb_build_object('refundId', new_id));
  insert into invoice_change (invoice_id, cause) values (of_invoice, 'refund_asked');
end $$;

-- A transfer that somebody says has arrived. It is pending: before it counts, a worker reads it from the
-- chain. One that was taken back is pending again, in whatever block it is said to be; what stands is
-- left alone.
create function submit_transfer(
  of_invoice uuid, new_id uuid, on_network text, in_tx text, at_log integer, of_token text,
  from_sender text, of_amount numeric, as_kind text, in_block bigint, with_hash text, at timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  known payment;
begin
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

-- Makes sure that a merchant's registry entry of this version is on its way to the hub. The answer is the
-- work item to wait for, or null when the entry is in force. One that failed is sent again, after a pause
-- as long as it has been tried for, an hour at most: what was in its way passes, like a signer that is
-- being replaced, and until then it must not burn gas.
create function ensure_configured(
  on_network text, at_hub text, of_merchant uuid, treasury text, fee_bps integer, fee_cap numeric,
  version integer
) returns bigint language plpgsql as $$
declare
  key text := 'configure:' || on_network || ':' || at_hub || ':' || of_merchant || ':' || version;
  item work_item;
begin
  insert into work_item (network_id, kind, dedupe_key, payload)
  values (on_network, 'configure', key, jsonb_build_object('hub', at_hub, 'merchantId', of_merchant,
    'treasury', treasury, 'feeBps', fee_bps, 'feeCap', fee_cap::text, 'version', version))
  on conflict (dedupe_key) do nothing;
  select * into strict item from work_item where dedupe_key = key;
  update work_item set state = 'queued', tx_id = null, log_index = null, result = null,
    not_before = updated_at + least(updated_at - created_at, interval '1 hour'),
    updated_at = now()
  where id = item.id and state in ('failed', 'review');
  return case when item.state = 'settled' then null else item.id end;
end $$;

-- Queues what a merchant's forwarder needs on a chain: its code, and where its money goes, as the merchant's
-- own row says. The merchant is locked first, so that a recipient that is being set is not missed.
create function prepare_forwarder(of_merchant uuid, on_network text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  owner merchant;
  at_hub text;
begin
  select * into owner from merchant where id = of_merchant for share;
  select hub into at_hub from forwarder where merchant_id = of_merchant;
  if at_hub is null then raise exception 'merchant % has no forwarder', of_merchant; end if;
  insert into work_item (network_id, kind, dedupe_key, payload)
  values (on_network, 'deploy', 'deploy:' || on_network || ':' || of_merchant,
    jsonb_build_object('merchantId', of_merchant))
  on conflict (dedupe_key) do nothing;
  if owner.recipient is not null then
    perform ensure_configured(on_network, at_hub, of_merchant, owner.recipient, owner.x402_fee_bps,
      owner.x402_fee_cap, owner.config_version);
  end if;
end $$;

-- Writes claims and the work to carry them out. One that failed is claimed anew by the same
-- authorization. Each pays the forwarder of its merchant.
create function claim_authorizations(claims json)
returns table (id uuid, network_id text, asset text, payer text, authorization_nonce text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with given as materialized (
    select given.* from json_to_recordset(claims) as given (
      id uuid, merchant_id uuid, endpoint_id uuid, network_id text, asset text, payer text,
      authorization_nonce text, pay_to text, amount numeric, valid_after numeric,
      valid_before numeric, signature text, is_wallet boolean, payer_code text,
      claimed_block bigint, is_alone boolean)
    join forwarder f on f.address = given.pay_to and f.merchant_id = given.merchant_id
  ), claimed as (
    insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
      authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet,
      payer_code, claimed_block)
    select id, merchant_id, endpoint_id, network_id, asset, payer, authorization_nonce, pay_to,
      amount, valid_after, valid_before, signature, is_wallet, payer_code, claimed_block
    from given
    order by authorization_nonce, payer
    on conflict on constraint x402_payment_claim do update set
      status = 'pending', reason = null, version = x402_payment.version + 1,
      signature = excluded.signature, is_wallet = excluded.is_wallet,
      payer_code = excluded.payer_code
    where x402_payment.status = 'failed'
      and x402_payment.pay_to = excluded.pay_to and x402_payment.amount = excluded.amount
      and x402_payment.valid_after = excluded.valid_after
      and x402_payment.valid_before = excluded.valid_before
      and x402_payment.endpoint_id is not distinct from excluded.endpoint_id
    returning id, network_id, asset, payer, authorization_nonce
  ), work as (
    insert into work_item (network_id, kind, dedupe_key, payload, batch_limit, not_before)
    select network_id, case when is_wallet then 'x402_wallet' else 'x402' end,
      'x402:' || network_id || ':' || asset || ':' || payer || ':' || authorization_nonce,
      jsonb_build_object('paymentId', c.id), case when is_alone then 1 else 100 end,
      -- The payer's pause may have begun since it was examined.
      greatest(now(), (select b.until from x402_wallet_pause b
        where is_wallet and b.network_id = c.network_id and b.payer = c.payer))
    from given join claimed c using (network_id, asset, payer, authorization_nonce)
    on conflict (dedupe_key) do update set
      state = 'queued', kind = excluded.kind, tx_id = null, log_index = null, result = null,
      tries = 0, batch_limit = excluded.batch_limit, not_before = excluded.not_before,
      updated_at = now()
    where work_item.state in ('failed', 'review', 'held')
  )
  select id, network_id, asset::text, payer::text, authorization_nonce::text from claimed;
end $$;

-- Queues a held payment again because it was asked for, unless its payer pauses. True when it was held and
-- waits for a relayer now.
create function resume_held(of_payment uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update work_item w set state = 'queued', tries = 0, result = null, not_before = now(),
    updated_at = now()
  from x402_payment p
  where p.id = of_payment and p.status = 'pending' and w.state = 'held'
    and w.dedupe_key = 'x402:' || p.network_id || ':' || p.asset || ':' || p.payer || ':'
      || p.authorization_nonce
    and not exists (select from x402_wallet_pause b
      where b.network_id = p.network_id and b.payer = p.payer and b.until > now());
  return found;
end $$;

-- Settles a payment that waits, or has failed, with a transfer that no transaction of ours made. False
-- when it is settled already, or that very transfer has paid for another one.
create function settle_by_evidence(
  of_payment uuid, in_tx text, at_log integer, in_block bigint, with_hash text
) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  settled x402_payment;
begin
  update x402_payment p set status = 'settled', reason = null, tx_hash = in_tx, log_index = at_log,
    block_number = in_block, block_hash = with_hash, by_others = true, settled_at = now()
  where p.id = of_payment and p.status <> 'settled' and not exists (
    select from x402_payment o
    where o.network_id = p.network_id and o.tx_hash = in_tx and o.log_index = at_log)
  returning * into settled;
  if settled.id is null then return false; end if;
  update work_item set state = 'settled', log_index = at_log,
    result = jsonb_build_object('txHash', in_tx), tx_id = null, updated_at = now()
  where dedupe_key = 'x402:' || settled.network_id || ':' || settled.asset || ':' || settled.payer
    || ':' || settled.authorization_nonce;
  perform pg_notify('x402_decided', of_payment::text);
  return true;
end $$;

-- Stores a payment as settled by somebody else's transaction. A worker confirms it, by the chain.
create function book_paid_by_others(
  payment json, in_tx text, at_log integer, in_block bigint, with_hash text
) returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
    authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet,
    payer_code, claimed_block, status, tx_hash, log_index, block_number, block_hash, by_others,
    settled_at)
  select p.id, p.merchant_id, p.endpoint_id, p.network_id, p.asset, p.payer, p.authorization_nonce,
    p.pay_to, p.amount, p.valid_after, p.valid_before, p.signature, p.is_wallet, p.payer_code,
    p.claimed_block,
    'settled', in_tx, at_log, in_block, with_hash, true, now()
  from json_to_record(payment) as p (id uuid, merchant_id uuid, endpoint_id uuid, network_id text,
    asset text, payer text, authorization_nonce text, pay_to text, amount numeric,
    valid_after numeric, valid_before numeric, signature text, is_wallet boolean,
    payer_code text, claimed_block bigint)
  join forwarder f on f.address = p.pay_to and f.merchant_id = p.merchant_id
  on conflict do nothing
$$;

-- Replaces an endpoint's secret without anybody reading the one before it, which signs beside the new one
-- until the given time; null when it is worth nothing from now on.
create function rotate_webhook_secret(
  of_merchant uuid, wanted_id uuid, new_secret text, overlap_until timestamptz, at timestamptz
) returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update webhook_endpoint set secret = new_secret,
    previous_secret = case when overlap_until is not null then secret end,
    previous_until = overlap_until, updated_at = at, version = version + 1
  where id = wanted_id and merchant_id = of_merchant
$$;

-- Of events, the API writes those of what it creates, and tests of single endpoints. All others tell of
-- what a worker has seen.
create function refuse_event() returns trigger language plpgsql as $$
begin
  raise insufficient_privilege using message = 'the API writes no event ' || new.type;
end $$;
create trigger outbox_of_api before insert on outbox for each row
  when (current_user = database_role('api') and new.type not in ('invoice.created', 'refund.created')
    and (new.type <> 'test' or new.endpoint_id is null))
  execute function refuse_event();

-- The API -----------------------------------------------------------------------------------------

select allow('{api}', '{select}', '{table merchant, table api_key, table invoice, table watched,
  table payment, table settlement, table refund, table outbox, table chain_state, table relayer_key,
  table work_item, table forwarder, table x402_endpoint, table x402_payment, table webhook_delivery,
  table webhook_attempt, table delivery_tally, table delivery_tally_change, table invoice_change,
  table invoice_tally, table invoice_tally_change,
  table chain_head, table chain_node, table x402_wallet_pause, table migration, table access_rule}');
select withhold('{api}', '{table chain_block, table refund_part, table known_hub,
  table forwarder_on_chain, table x402_distribution, table webhook_lease}');
select allow('{api}', '{select}', '{table relayer_tx}', '{id, network_id, address, account_nonce}');
select withhold('{api}', '{table relayer_tx}', '{kind, target, calldata, gas_limit, state, outcome,
  cancel_requested, mined_hash, mined_block, mined_block_hash, created_at, mined_at, confirmed_at,
  taken_by}');
select allow('{api}', '{select}', '{table relayer_attempt}',
  '{network_id, hash, tx_id, seq, max_priority_fee_per_gas, is_cancel}');
select withhold('{api}', '{table relayer_attempt}', '{raw, max_fee_per_gas, last_error,
  broadcast_at, created_at}');
select allow('{api}', '{insert}', '{table invoice}', '{id, merchant_id, external_ref, reference,
  token_symbol, chains, amount_expected, fee_cap, platform_fee, recipient, hub, deposit_address,
  metadata, expires_at, created_at}');
select allow('{api}', '{insert}', '{table watched}', '{address, kind, merchant_id, invoice_id}');
select allow('{api}', '{insert}', '{table outbox}',
  '{id, merchant_id, type, object_id, version, data, endpoint_id}');
select allow('{api}', '{insert}', '{table forwarder}', '{merchant_id, address, hub}');
select allow('{api}', '{insert}', '{table x402_endpoint}', '{id, merchant_id, url, url_key,
  network_id, token_symbol, asset, amount, description, own_transaction, accepts_wallets, created_at,
  updated_at}');
select allow('{api}', '{update}', '{table x402_endpoint}',
  '{description, amount, active, own_transaction, accepts_wallets, updated_at}');
select allow('{api}', '{update}', '{table x402_payment}', '{answer_owner, answer_until, answered_at}');
select allow('{api}', '{select}', '{table webhook_endpoint}', '{id, merchant_id, url, description,
  event_types, active, disabled_reason, disabled_at, failing_since, previous_until, version,
  created_at, updated_at}');
select withhold('{api}', '{table webhook_endpoint}', '{secret, previous_secret}');
select allow('{api}', '{insert}', '{table webhook_endpoint}',
  '{id, merchant_id, url, description, event_types, secret, created_at, updated_at}');
select allow('{api}', '{update}', '{table webhook_endpoint}', '{url, description, event_types, active,
  disabled_reason, disabled_at, failing_since, updated_at, version}');
select allow('{api}', '{insert}', '{table webhook_delivery}', '{endpoint_id, event_id, event_type}');
select allow('{api}', '{update}', '{table webhook_delivery}',
  '{state, finished_at, step, next_attempt_at, last_error}');
select allow('{api}', '{delete}', '{table webhook_endpoint, table webhook_delivery}');
select allow('{api}', '{execute}', array[
  'function lock_invoice(uuid)',
  'function close_invoice(uuid, uuid, timestamptz)',
  'function accept_late_payment(uuid, uuid, timestamptz)',
  'function accept_partly(uuid, numeric)',
  'function ask_for_refund(uuid, uuid, text, text, text, numeric, text, uuid, jsonb)',
  'function submit_transfer(uuid, uuid, text, text, integer, text, text, numeric, text, bigint, text, timestamptz)',
  'function prepare_forwarder(uuid, text)',
  'function claim_authorizations(json)',
  'function resume_held(uuid)',
  'function settle_by_evidence(uuid, text, integer, bigint, text)',
  'function book_paid_by_others(json, text, integer, bigint, text)',
  'function rotate_webhook_secret(uuid, uuid, text, timestamptz, timestamptz)']);

-- Workers -----------------------------------------------------------------------------------------

select allow('{worker}', '{select}', '{table merchant, table invoice, table watched, table payment,
  table settlement, table refund, table refund_part, table outbox, table chain_state,
  table chain_block, table relayer_key, table relayer_tx, table relayer_attempt, table work_item,
  table forwarder, table forwarder_on_chain, table x402_endpoint, table x402_payment,
  table x402_distribution, table invoice_change, table invoice_tally, table invoice_tally_change,
  table chain_head, table chain_node, table x402_wallet_pause, table known_hub, table migration,
  table access_rule}');
-- Secrets and deliveries are the notifier's, whose rights a worker has as well.
select withhold('{worker}', '{table api_key, table webhook_endpoint, table webhook_delivery,
  table webhook_attempt, table webhook_lease, table delivery_tally, table delivery_tally_change}');
select allow('{worker}', '{insert, update}', '{table payment, table settlement, table chain_state,
  table chain_block, table relayer_key, table relayer_tx, table relayer_attempt, table work_item,
  table forwarder_on_chain, table x402_payment, table x402_distribution, table x402_wallet_pause,
  table invoice_tally}');
select allow('{worker}', '{update}', '{table refund}');
-- Whom an invoice pays, through which hub, and for how much at most, is settled when it is created.
select allow('{worker}', '{update}', '{table invoice}', '{status, target_network, platform_fee,
  pending_amount, received_amount, late_amount, refunded_amount, returned_amount, amount_remitted,
  completed_amount, settlement_state, settlement_error, held_parts, expiry_announced_at, paid_at,
  completed_at, version}');
select allow('{worker}', '{insert}', '{table outbox, table known_hub}');
select allow('{worker}', '{delete}', '{table chain_block, table x402_distribution,
  table x402_wallet_pause, table invoice_change, table invoice_tally, table invoice_tally_change}');
select allow('{worker}', '{usage}', '{sequence payment_detected_order}');
select allow('{worker}', '{execute}', array[
  'function lock_merchant(uuid)',
  'function prepare_forwarder(uuid, text)',
  'function ensure_configured(text, text, uuid, text, integer, numeric, integer)',
  'function settle_by_evidence(uuid, text, integer, bigint, text)']);

-- Notifiers ---------------------------------------------------------------------------------------

select allow('{notifier}', '{select}', '{table outbox, table webhook_endpoint,
  table webhook_delivery, table webhook_attempt, table webhook_lease, table delivery_tally,
  table delivery_tally_change, table migration, table access_rule}');
select withhold('{notifier}', '{table merchant, table api_key, table invoice, table watched,
  table payment, table settlement, table refund, table refund_part, table chain_state,
  table chain_block, table relayer_key, table relayer_tx, table relayer_attempt, table work_item,
  table forwarder, table forwarder_on_chain, table x402_endpoint, table x402_payment,
  table x402_distribution, table invoice_change, table invoice_tally, table invoice_tally_change,
  table chain_head, table chain_node, table x402_wallet_pause, table known_hub}');
select allow('{notifier}', '{insert}', '{table outbox, table webhook_attempt}');
select allow('{notifier}', '{update}', '{table outbox}', '{position}');
select allow('{notifier}', '{update}', '{table webhook_endpoint}',
  '{active, disabled_reason, disabled_at, failing_since, updated_at, version}');
select allow('{notifier}', '{insert, update, delete}', '{table webhook_delivery,
  table webhook_lease, table delivery_tally}');
select allow('{notifier}', '{delete}', '{table outbox, table delivery_tally_change}');
select allow('{notifier}', '{usage}', '{sequence outbox_position}');

-- Indexers ----------------------------------------------------------------------------------------

select allow('{indexer}', '{select}', '{table watched, table chain_head, table chain_node,
  table migration, table access_rule}');
select allow('{indexer}', '{insert, update, delete}', '{table chain_head, table chain_node}');
select withhold('{indexer}', '{table merchant, table api_key, table invoice, table payment,
  table settlement, table refund, table refund_part, table outbox, table chain_state,
  table chain_block, table relayer_key, table relayer_tx, table relayer_attempt, table work_item,
  table forwarder, table forwarder_on_chain, table x402_endpoint, table x402_payment,
  table x402_distribution, table webhook_endpoint, table webhook_delivery, table webhook_attempt,
  table webhook_lease, table delivery_tally, table delivery_tally_change, table invoice_change,
  table invoice_tally, table invoice_tally_change, table x402_wallet_pause, table known_hub}');
-- Its own schemas.
select allow('{indexer}', '{create}', '{database}');

select settle_access();

-- What the registry of a hub says of a merchant, by what relayers did and what the chain's leader has read: a
-- hub that has an entry takes another treasury only after a delay, in which the guardian can veto it.
create table registry_entry (
  network_id text not null,
  hub evm_address not null,
  merchant_id uuid not null references merchant (id),
  -- The entry in force; nothing while there is none.
  version bigint check (version > 0),
  treasury evm_address,
  -- The newest change that waits, until this time of the chain at least, or that was vetoed: then it has no
  -- time, and its version is burnt.
  change_version bigint check (change_version > 0),
  change_treasury evm_address,
  change_ready_at timestamptz,
  -- What is in force is nothing that this ledger has asked for.
  is_foreign boolean not null default false,
  -- When it is to be read, from the state of this block on; null while nothing is expected to change.
  look_at timestamptz,
  look_from bigint,
  seen_at timestamptz not null default now(),
  primary key (network_id, hub, merchant_id),
  check ((version is null) = (treasury is null)),
  check ((change_version is null) = (change_treasury is null)),
  check (change_version is not null or change_ready_at is null),
  check ((look_at is null) = (look_from is null))
);
create index registry_entry_due on registry_entry (network_id, look_at) where look_at is not null;
create index registry_entry_of_merchant on registry_entry (merchant_id);
-- Those that operators must know of.
create index registry_entry_alarming on registry_entry (network_id)
  where change_version is not null or is_foreign;
select allow('{worker}', '{select, insert, update}', '{table registry_entry}');
select allow('{api}', '{select}', '{table registry_entry}');
select withhold('{notifier, indexer}', '{table registry_entry}');

-- In millionths of a whole token, whatever the token's decimals. The hub keeps it in 40 bits.
alter table merchant add constraint merchant_fee_cap_fits check (x402_fee_cap < 1099511627776);

-- The lowest version that a change must have so that an entry in this version can't be sent any more: a signed
-- version is newer than all that the hub knows, and at most 1,000 ahead of the entry in force.
create function least_burnt(wanted integer, in_force bigint) returns bigint language sql immutable as $$
  select least(wanted, coalesce(in_force, 0) + 1000)
$$;

-- The version by which a merchant is paid at a hub, if it can be paid now: its newest one once that is in
-- force, or after a veto the one before it, as far as this ledger has asked for it. Null while a change waits.
create function payable_version(
  on_network text, at_hub text, of_merchant uuid, newest integer
) returns bigint language sql stable as $$
  select case
    when e.change_ready_at is not null or e.version > newest then null
    when c.state = 'settled' then newest::bigint
    when e.change_version >= least_burnt(newest, e.version) and own.id is not null then e.version
  end
  from (select 'configure:' || on_network || ':' || at_hub || ':' || of_merchant || ':' as prefix) key
  left join work_item c on c.dedupe_key = key.prefix || newest
  left join registry_entry e on e.network_id = on_network and e.hub = at_hub
    and e.merchant_id = of_merchant
  left join work_item own on own.dedupe_key = key.prefix || e.version
    and own.state = 'settled' and own.payload->>'treasury' = e.treasury
$$;

-- Makes sure that a merchant's registry entry of this version is on its way to the hub. The answer is what a
-- sweep is to name, and the work item to wait for, or null when there is nothing to wait for. An entry that
-- failed is sent again, after a pause as long as it has been tried for, an hour at most: what was in its
-- way passes, like a signer that is being replaced, and until then it must not burn gas. One whose version
-- is burnt is not; the entry that it was to replace is then the one that pays.
drop function ensure_configured(text, text, uuid, text, integer, numeric, integer);
create function ensure_configured(
  on_network text, at_hub text, of_merchant uuid, wanted_treasury text, fee_bps integer,
  fee_cap numeric, wanted_version integer,
  out waits_for bigint, out version bigint, out treasury text
) language plpgsql as $$
#variable_conflict use_column
declare
  key text := 'configure:' || on_network || ':' || at_hub || ':' || of_merchant || ':'
    || wanted_version;
  item work_item;
  known registry_entry;
begin
  insert into work_item (network_id, kind, dedupe_key, payload)
  values (on_network, 'configure', key, jsonb_build_object('hub', at_hub, 'merchantId', of_merchant,
    'treasury', wanted_treasury, 'feeBps', fee_bps, 'feeCap', fee_cap::text,
    'version', wanted_version))
  on conflict (dedupe_key) do nothing;
  select * into strict item from work_item where dedupe_key = key;
  ensure_configured.waits_for := case when item.state = 'settled' then null else item.id end;
  ensure_configured.version := wanted_version;
  ensure_configured.treasury := wanted_treasury;
  if item.state not in ('failed', 'review') then return; end if;
  select * into known from registry_entry e
  where e.network_id = on_network and e.hub = at_hub and e.merchant_id = of_merchant;
  if known.version >= wanted_version
    or known.change_version >= least_burnt(wanted_version, known.version) then
    if payable_version(on_network, at_hub, of_merchant, wanted_version) is not null then
      ensure_configured.waits_for := null;
      ensure_configured.version := known.version;
      ensure_configured.treasury := known.treasury;
    end if;
    return;
  end if;
  update work_item set state = 'queued', tx_id = null, log_index = null, result = null,
    -- Signed anew: the signer may be another one by now.
    payload = payload - 'carried',
    not_before = updated_at + least(updated_at - created_at, interval '1 hour'),
    updated_at = now()
  where id = item.id;
end $$;
select allow('{worker}', '{execute}', array[
  'function ensure_configured(text, text, uuid, text, integer, numeric, integer)',
  'function payable_version(text, text, uuid, integer)',
  'function least_burnt(integer, bigint)']);
select allow('{api}', '{execute}', array['function least_burnt(integer, bigint)']);

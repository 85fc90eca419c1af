-- A signed version is at most 1,000 ahead of the newest that a hub knows, vetoed ones included: an entry can't be
-- sent any more once a change of its own version, or of a later one, is known.

-- The version by which a merchant is paid at a hub, if it can be paid now: its newest one once that is in
-- force, or after a veto the one before it, as far as this ledger has asked for it. Null while a change waits.
create or replace function payable_version(
  on_network text, at_hub text, of_merchant uuid, newest integer
) returns bigint language sql stable as $$
  select case
    when e.change_ready_at is not null or e.version > newest then null
    when c.state = 'settled' then newest::bigint
    when e.change_version >= newest and own.id is not null then e.version
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
create or replace function ensure_configured(
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
  if greatest(known.version, known.change_version) >= wanted_version then
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

drop function least_burnt(integer, bigint);
delete from access_rule where object = 'function least_burnt(integer, bigint)';

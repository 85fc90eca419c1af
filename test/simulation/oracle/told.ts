/**
 * Besides the rows: the order in which events are written, when what was confirmed, leases that were taken away, and when
 * it was stored that a block is gone.
 */
export const TOLD = `
create table sim.told (place bigserial primary key, id uuid not null);
create function sim.tell() returns trigger language plpgsql security definer as
  $$ begin insert into sim.told (id) values (new.id); return null; end $$;
create trigger told after insert on outbox for each row execute function sim.tell();
create table sim.confirmed (
  kind text, id text, block_number bigint, at timestamptz default sim.clock_timestamp());
create table sim.forgotten (block_hash text, at timestamptz default sim.clock_timestamp());
create function sim.forget() returns trigger language plpgsql security definer as
  $$ begin insert into sim.forgotten (block_hash) values (old.hash); return null; end $$;
create trigger forgotten after update of hash or delete on chain_block for each row execute function sim.forget();
create table sim.overtaken (address text, worker text, lease_until timestamptz);
create function sim.overtake() returns trigger language plpgsql security definer as
  $$ begin
    insert into sim.overtaken values (old.address, old.lease_owner, old.lease_until);
    return null;
  end $$;
create trigger overtaken after update of fence on relayer_key for each row
  when (old.fence <> new.fence and old.lease_until > sim.clock_timestamp()) execute function sim.overtake();
create function sim.confirm() returns trigger language plpgsql security definer as
  $$ begin
    insert into sim.confirmed (kind, id, block_number) values (tg_table_name, new.id::text, new.block_number);
    return null;
  end $$;
create function sim.confirm_time() returns trigger language plpgsql security definer as
  $$ begin
    insert into sim.confirmed (kind, id, block_number)
    select 'time', number::text, number from chain_block
    where network_id = new.network_id and time = new.confirmed_time;
    return null;
  end $$;
create trigger confirmed_time after update of confirmed_time on chain_state for each row
  when (old.confirmed_time is distinct from new.confirmed_time) execute function sim.confirm_time();
${['payment', 'settlement', 'refund', 'x402_payment', 'invoice_authorization']
  .map(
    (table) => `create trigger confirmed after update of confirmed_at on ${table} for each row
      when (old.confirmed_at is null and new.confirmed_at is not null) execute function sim.confirm();`,
  )
  .join('\n')}`

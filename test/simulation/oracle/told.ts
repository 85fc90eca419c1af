/** Besides the rows: the order in which events are written, and when what was confirmed. */
export const TOLD = `
create table sim.told (place bigserial primary key, id uuid not null);
create function sim.tell() returns trigger language plpgsql security definer as
  $$ begin insert into sim.told (id) values (new.id); return null; end $$;
create trigger told after insert on outbox for each row execute function sim.tell();
create table sim.confirmed (
  kind text, id text, block_number bigint, at timestamptz default sim.clock_timestamp());
create function sim.confirm() returns trigger language plpgsql security definer as
  $$ begin
    insert into sim.confirmed (kind, id, block_number) values (tg_table_name, new.id::text, new.block_number);
    return null;
  end $$;
${['payment', 'settlement', 'refund', 'x402_payment', 'invoice_authorization']
  .map(
    (table) => `create trigger confirmed after update of confirmed_at on ${table} for each row
      when (old.confirmed_at is null and new.confirmed_at is not null) execute function sim.confirm();`,
  )
  .join('\n')}`

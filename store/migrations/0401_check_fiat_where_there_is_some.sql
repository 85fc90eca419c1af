-- What invoice_fiat_whole checks. Postgres parses a table's checks again for every statement that writes to it, so that a
-- long one costs invoices without the amount as well.
create function is_whole_fiat(fiat jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
begin
  return (
    fiat ->> 'currency' ~ '^[A-Z]{3}$'
    and fiat ->> 'amount' ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'
    and fiat ->> 'rate' ~ '^(0|[1-9][0-9]*)(\.[0-9]+)?$'
    and fiat ->> 'at' is not null
    and fiat ->> 'source' is not null
  ) is true;
end $$;
select allow('{api, worker}', '{execute}', '{function is_whole_fiat(jsonb)}');
alter table invoice add constraint invoice_fiat_complete
  check (fiat is null or is_whole_fiat(fiat)) not valid;

-- As in 0287, with the code of a unique violation: processes of the release before, which don't ask beforehand, store
-- the invoices of several merchants in one statement, and try each by itself when one of them breaks such a rule.
-- Without a row and without an error they would try it for ever.
create or replace function require_approved_recipient() returns trigger language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not may_be_paid_to(new.merchant_id, to_jsonb(new) ->> tg_argv[0]) then
    raise exception 'the merchant has not approved this recipient'
      using errcode = '23505', constraint = 'recipient_approved';
  end if;
  return new;
end $$;

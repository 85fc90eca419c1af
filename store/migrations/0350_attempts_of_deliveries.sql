-- An attempt is written by the statement that has just changed its delivery, so that looking the delivery up again
-- for each row cost a tenth of a webhook's time in the database. What deletes deliveries deletes their attempts.
alter table webhook_attempt drop constraint webhook_attempt_delivery_id_fkey;

create function delete_attempts() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from webhook_attempt a using deleted d where a.delivery_id = d.id;
  return null;
end $$;
create trigger webhook_delivery_attempts after delete on webhook_delivery
  referencing old table as deleted for each statement execute function delete_attempts();

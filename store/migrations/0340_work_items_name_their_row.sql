-- The row whose state follows the item's: a settlement, a refund, a payment, an authorization or an action of
-- channels. Null for what follows from the chain alone: registry entries, forwarders and payouts. It is taken from the
-- payload, so that the release before names it, too; new kinds name it `subjectId` there.
alter table work_item add column subject_id uuid;

create function name_subject() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.subject_id := coalesce(new.payload->>'subjectId', new.payload->>'settlementId', new.payload->>'refundId',
    new.payload->>'paymentId', new.payload->>'actionId')::uuid;
  return new;
end $$;
create trigger work_item_subject before insert on work_item for each row execute function name_subject();

-- The kinds are listed in workers/relayer/kinds.ts; relayers leave alone those that they don't know.
alter table work_item drop constraint work_item_kind_check;

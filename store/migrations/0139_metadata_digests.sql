-- remit: statements
-- The digests of what was written before, but where two values of one invoice have one number; and an index
-- that has them. The rows are inserted and deleted, and never changed by anybody else.
update invoice_metadata m set digest = (
  select case when count(*) = 1 then (array_agg(e.digest))[1] end
  from invoice i, metadata_entries(i.metadata) e where i.id = m.invoice_id and e.term = m.term
) where digest is null;
create index concurrently if not exists invoice_metadata_counted
  on invoice_metadata (merchant_id, term, created_at desc, invoice_id desc) include (digest);
drop index concurrently if exists invoice_metadata_listed;

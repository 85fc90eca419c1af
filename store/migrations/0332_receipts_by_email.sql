-- remit: statements
-- Receipts sent to payers: found among other emails, to be removed soon.
create index concurrently if not exists mail_receipts on mail (created_at) where starts_with(link_from, 'receipt ');

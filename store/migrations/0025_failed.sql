-- Invoices that wait for a block, and those whose settlement failed, which are looked at slice by slice.
drop index invoice_due;
create index invoice_due on invoice (id) where settlement_state = 'due';
create index invoice_failed on invoice (id) where settlement_state = 'failed';

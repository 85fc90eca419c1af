-- What merchants look for when money is not where they expect it.
create index payment_astray on payment (invoice_id)
  where kind <> 'counted' and status = 'confirmed';

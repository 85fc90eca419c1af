-- The payer's own identifier of a payment no longer decides anything: a payer may invent as many as it likes.
alter table x402_payment drop column payment_identifier;

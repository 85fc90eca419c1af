-- remit: statements
alter table invoice validate constraint invoice_fiat_complete;
alter table invoice drop constraint if exists invoice_fiat_whole;

-- How much less than was asked for is enough: a merchant's usual, that of a price where it has its own, and
-- what an invoice was made with.

-- Neither a domain, which would have the whole table written anew, nor a look at rows that tolerate nothing.
alter table invoice add column underpayment_tolerance numeric(78, 0) not null default 0;
alter table invoice add constraint invoice_tolerates_little
  check (underpayment_tolerance between 0 and div(amount_expected, 100)) not valid;
select allow('{api}', '{insert}', '{table invoice}', '{underpayment_tolerance}');

-- An amount in the token's major unit, or basis points; for a price, null for the merchant's usual.
alter table merchant_page add column underpayment_tolerance text not null default '0'
  check (underpayment_tolerance ~ '^((0|[1-9][0-9]*)(\.[0-9]+)?|[1-9][0-9]?bps|100bps)$');
alter table price add column underpayment_tolerance text
  check (underpayment_tolerance ~ '^((0|[1-9][0-9]*)(\.[0-9]+)?|[1-9][0-9]?bps|100bps)$');

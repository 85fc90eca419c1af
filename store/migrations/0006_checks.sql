-- The same checks in forms that cost a third. An invoice checks three addresses, and for each of them
-- Postgres works a regular expression out anew.

alter domain evm_address drop constraint evm_address_check;
alter domain evm_address add constraint evm_address_check
  check (octet_length(value) = 42 and rtrim(value, '0123456789abcdef') = '0x');
alter domain evm_hash drop constraint evm_hash_check;
alter domain evm_hash add constraint evm_hash_check
  check (octet_length(value) = 66 and rtrim(value, '0123456789abcdef') = '0x');

-- That a fee isn't negative is said by its domain, as of all other amounts.
alter table invoice drop constraint invoice_check;
alter table invoice alter column platform_fee type base_units;
alter table invoice add constraint invoice_fee_capped check (platform_fee <= fee_cap);

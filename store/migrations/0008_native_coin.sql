-- Native coin that was sent to a deposit, which no log shows. Its token is the zero address, and its
-- log index -1: one transaction can send it to one deposit once.
alter table payment drop constraint payment_log_index_check;
alter table payment add constraint payment_log_index check (
  case when token = '0x0000000000000000000000000000000000000000' then log_index = -1
    else log_index >= 0 end);
alter table payment add constraint payment_native check (log_index >= 0 or kind = 'foreign');

-- Payments that may come back in another block, of assets that no indexer watches.
create index payment_lost on payment (network_id, reverted_at) where status = 'reverted';

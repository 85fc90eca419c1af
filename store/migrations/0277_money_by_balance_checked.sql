-- Others read and write meanwhile.
alter table payment validate constraint payment_log_index;

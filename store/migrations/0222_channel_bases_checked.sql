-- Others read and write meanwhile.
alter table x402_channel validate constraint x402_channel_base;

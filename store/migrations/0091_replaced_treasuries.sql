-- Merchants whose registry entry is not their first one: a chain that is added hears of them before all else.
create index merchant_replaced on merchant (id) where config_version > 1;

-- A merchant's sweeps that pay what the registry says, to be found when its entry changes.
create index settlement_open_registry on settlement (merchant_id, network_id)
  where status = 'open' and registry_version > 0;

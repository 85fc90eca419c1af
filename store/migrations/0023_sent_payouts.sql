-- Whether payouts were sent of late is asked with each new head.
create index forwarder_on_chain_sent on forwarder_on_chain (network_id, sent_block)
  where sent_block is not null;

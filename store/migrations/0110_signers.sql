-- `signer`: a store of keys outside of the process does not sign.
alter table worker_alarm drop constraint worker_alarm_kind_check;
alter table worker_alarm add constraint worker_alarm_kind_check check (
  kind in ('turn', 'aside', 'operator', 'fee_ceiling', 'nonce', 'refund_waits', 'signer'));

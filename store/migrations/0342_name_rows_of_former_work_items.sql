-- remit: batches
update work_item set subject_id = coalesce(payload->>'settlementId', payload->>'refundId', payload->>'paymentId',
  payload->>'actionId')::uuid
where id in (
  select id from work_item
  where subject_id is null and kind not in ('configure', 'deploy', 'distribute')
    and payload ?| array['settlementId', 'refundId', 'paymentId', 'actionId']
  order by id limit 1000
);

-- The hash of a request's JSON value beside that of its bytes, by which processes of the release before know it again.
alter table idempotency_key add column value_hash bytea check (length(value_hash) = 32);
select withhold('{worker}', '{table idempotency_key}', '{value_hash}');

-- Secrets of webhooks and authenticators are encrypted, each with a key whose name stands before it. Which names
-- there are is no secret: processes that lack one don't start, and the operator sees what is still to be
-- encrypted anew. An empty name stands for what is not encrypted yet.
create function secret_keys_in_use() returns table (kind text, key_id text, secrets bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.kind, case when s.stored like 'sealed:1:%' then split_part(s.stored, ':', 3) else '' end,
    count(*)
  from (
    select 'webhook' as kind, secret as stored from webhook_endpoint
    union all
    select 'webhook', previous_secret from webhook_endpoint where previous_secret is not null
    union all
    select 'authenticator', t.secret from auth."twoFactor" t
    union all
    select 'authenticator', t."backupCodes" from auth."twoFactor" t
  ) s
  group by 1, 2 order by 1, 2
$$;
select allow('{api, notifier}', '{execute}', '{"function secret_keys_in_use()"}');

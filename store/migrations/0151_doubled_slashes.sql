-- URLs are compared with one slash for several (core/x402/url.ts), as stock middleware matches its routes. What
-- was registered otherwise is found again, unless the same price is there already. Patterns stay as they are.
update x402_endpoint e set url_key = one.key
from (
  select id, substring(url_key from '^[a-z0-9]+://')
    || regexp_replace(substring(url_key from '^[a-z0-9]+://(.*)$'), '/{2,}', '/', 'g') as key
  from x402_endpoint where url_key ~ '^[a-z0-9]+://.*//' and url_regex is null
) one
where e.id = one.id and not exists (
  select from x402_endpoint o
  where o.merchant_id = e.merchant_id and o.network_id = e.network_id and o.asset = e.asset
    and o.amount = e.amount and o.id <> e.id
    and (o.url_key = one.key or o.url_key ~ '^[a-z0-9]+://.*//'));

-- Two tools of one MCP server have one URL and may cost the same: they are two resources. The key of a tool's price
-- is that of its URL with the tool's name behind a #, which no key of a URL has (core/x402/endpoint/endpoint.ts).
-- What was registered before keeps its key; what it is a price of, its metadata says.

-- The words by which an endpoint is found: of its URL, its description, its service's name, its tags, and its tool.
create function words_of_resource(url text, description text, discovery jsonb)
returns tsvector language sql immutable parallel safe
set search_path = pg_catalog, public, pg_temp as $$
  select words_of_listing(
    concat_ws(' ', url, discovery #>> '{info,input,toolName}'), description, discovery)
$$;
select allow('{api}', '{execute}', array['function words_of_resource(text, text, jsonb)']);
select allow('{api}', '{update}', '{table x402_endpoint}', '{url_key}');

-- As before, and for each URL the prices of all its tools, of which one has to be the only one.
create or replace function endpoint_of_resource(
  of_merchant uuid, resource text, heads text[], on_network text, of_asset text, price numeric, claimed uuid
) returns uuid language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare
  found_ids uuid[];
begin
  if exists (
    select from x402_endpoint e where e.id = claimed and e.merchant_id = of_merchant
      and (split_part(e.url_key, '#', 1) = resource or resource ~* e.url_regex)
  ) then
    return claimed;
  end if;
  -- Prices in force come before former ones, and a URL of its own before a pattern.
  select array_agg(e.id) into found_ids from x402_endpoint e
  where e.merchant_id = of_merchant and split_part(e.url_key, '#', 1) = resource
    and e.network_id = on_network and e.asset = of_asset and e.amount = price and e.active;
  if found_ids is null then
    select array_agg(e.id) into found_ids from (
      select * from x402_endpoint c
      where c.merchant_id = of_merchant and split_part(c.url_key, '#', 1) = resource
        and c.network_id = on_network and c.asset = of_asset and c.active
      limit 50
    ) e where is_price_of(e.id, e.amount, price);
  end if;
  if found_ids is null then
    select array_agg(p.id) into found_ids from (
      select e.id, rank() over (order by e.amount <> price) as place from (
        select c.* from unnest(heads) with ordinality as h (head, depth)
        cross join lateral (
          select * from x402_endpoint c
          where c.merchant_id = of_merchant and c.url_head = h.head and c.active
            and c.url_regex is not null
          order by c.created_at desc, c.id desc limit 50
        ) c
        order by h.depth desc, c.created_at desc, c.id desc limit 50
      ) e
      where e.network_id = on_network and e.asset = of_asset
        and case when is_price_of(e.id, e.amount, price) then resource ~* e.url_regex else false end
    ) p where p.place = 1;
  end if;
  return case when cardinality(found_ids) = 1 then found_ids[1] end;
end $$;

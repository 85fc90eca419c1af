-- Payments that name no endpoint belong to that of their resource's URL; and a price that was replaced is
-- payable for as long as payers were told that they may take.

-- Of an endpoint whose path has wildcards (core/x402/routePattern.ts): the expression for URLs that it is
-- the endpoint of, and what they all begin with. What was registered before is one URL, as it was written.
alter table x402_endpoint add column url_regex text check (length(url_regex) <= 1024);
alter table x402_endpoint add column url_head text;
alter table x402_endpoint add constraint x402_endpoint_pattern
  check ((url_regex is null) = (url_head is null));
create index x402_endpoint_by_head
  on x402_endpoint (merchant_id, url_head, created_at desc, id desc)
  where active and url_regex is not null;

-- A price that an endpoint had.
create table x402_former_price (
  endpoint_id uuid not null references x402_endpoint (id),
  amount positive_units not null,
  payable_until timestamptz not null,
  primary key (endpoint_id, amount)
);

select allow('{api}', '{insert}', '{table x402_endpoint}', '{url_regex, url_head}');
select allow('{api}', '{select, insert, delete}', '{table x402_former_price}');
select allow('{api}', '{update}', '{table x402_former_price}', '{payable_until}');
select withhold('{worker, notifier, indexer}', '{table x402_former_price}');

-- Whether so much is what an endpoint asks for, or did until a moment ago.
create function is_price_of(endpoint uuid, asked numeric, given numeric)
returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select asked = given or exists (
    select from x402_former_price f
    where f.endpoint_id = endpoint and f.amount = given and f.payable_until > now())
$$;

-- The endpoint that a payment of so much is for by the URL of its resource: the one of that very URL, or the
-- only one whose pattern it matches; null when none is, or several are. A payment that was claimed keeps its
-- endpoint, whatever became of the price. Of patterns the fifty with most segments in common are looked at.
create function endpoint_of_resource(
  of_merchant uuid, resource text, heads text[], on_network text, of_asset text, price numeric, claimed uuid
) returns uuid language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare
  found_ids uuid[];
begin
  if exists (
    select from x402_endpoint e where e.id = claimed and e.merchant_id = of_merchant
      and (e.url_key = resource or resource ~* e.url_regex)
  ) then
    return claimed;
  end if;
  -- Prices in force come before former ones, and a URL of its own before a pattern.
  select array_agg(e.id) into found_ids from x402_endpoint e
  where e.merchant_id = of_merchant and e.url_key = resource and e.network_id = on_network
    and e.asset = of_asset and e.amount = price and e.active;
  if found_ids is null then
    select array_agg(e.id) into found_ids from (
      select * from x402_endpoint c
      where c.merchant_id = of_merchant and c.url_key = resource and c.network_id = on_network
        and c.asset = of_asset and c.active
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

select allow('{api}', '{execute}', array['function is_price_of(uuid, numeric, numeric)',
  'function endpoint_of_resource(uuid, text, text[], text, text, numeric, uuid)']);

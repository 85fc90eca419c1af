-- Endpoints that anybody may find, by what their merchants say of them.
alter table x402_endpoint add column discoverable boolean not null default false;
-- core/x402/metadata.ts: what is shown besides price and description.
alter table x402_endpoint add column discovery jsonb
  check (jsonb_typeof(discovery) = 'object' and octet_length(discovery::text) <= 65536);

-- The words by which an endpoint is found: of its URL, its description, its service's name and its tags.
create function words_of_listing(url text, description text, discovery jsonb)
returns tsvector language sql immutable parallel safe
set search_path = pg_catalog, public, pg_temp as $$
  select to_tsvector('pg_catalog.simple', regexp_replace(
    concat_ws(' ', url, description, discovery ->> 'serviceName', discovery ->> 'tags'),
    '[^[:alnum:]]+', ' ', 'g'))
$$;
create index x402_endpoint_words on x402_endpoint
  using gin (words_of_listing(url, description, discovery)) where discoverable and active;
create index x402_endpoint_listed on x402_endpoint (created_at desc, id desc)
  where discoverable and active;

select allow('{api}', '{insert, update}', '{table x402_endpoint}', '{discoverable, discovery}');
select allow('{api}', '{execute}', array['function words_of_listing(text, text, jsonb)']);

-- remit: statements
-- The prices of a URL, of all its tools.
create index concurrently if not exists x402_endpoint_by_resource
  on x402_endpoint (merchant_id, split_part(url_key, '#', 1), network_id, asset) where active;
create index concurrently if not exists x402_endpoint_words_of_resource on x402_endpoint
  using gin (words_of_resource(url, description, discovery)) where discoverable and active;
drop index concurrently if exists x402_endpoint_words;

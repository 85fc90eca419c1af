-- remit: statements
-- The prices of what is listed once, a URL or a tool there, in their order (store/x402/endpoint/listings.ts).
create index concurrently if not exists x402_endpoint_by_listing on x402_endpoint (
  merchant_id,
  md5(split_part(url_key, '#', 1) || case when discovery #>> '{info,input,type}' = 'mcp'
    then '#' || coalesce(discovery #>> '{info,input,toolName}', '') else '' end),
  created_at, id
) where active;
-- Processes of the release before search by these words still; a later release drops this again.
create index concurrently if not exists x402_endpoint_words on x402_endpoint
  using gin (words_of_listing(url, description, discovery)) where discoverable and active;

-- Destinations as the API writes them, without a user and with the port that a URL leaves out. Endpoints
-- from before there were destinations had places of their own, beside those of newer ones at their host.
update webhook_endpoint
set destination = regexp_replace(destination, '^.*@', '') || case
  when destination ~ ':[0-9]+$' then ''
  when url ilike 'https:%' then ':443'
  else ':80' end
where destination <> '' and (destination !~ ':[0-9]+$' or destination like '%@%');

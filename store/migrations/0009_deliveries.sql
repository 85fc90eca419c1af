-- Which process sends to which endpoint. One process at a time has all of an endpoint's deliveries, so
-- that no lease has to be written for each of them. A lease that ran out belongs to a process that is
-- gone. It is not a part of the endpoint, whose row merchants lock when they change it.
drop table webhook_lease;
create table webhook_lease (
  endpoint_id uuid primary key,
  owner text not null,
  until timestamptz not null
);

-- The fan-out locks the events and the endpoints of what it inserts, so that checking each row once more
-- says nothing, and took half of its time. Whoever deletes an event or an endpoint deletes its deliveries.
alter table webhook_delivery drop constraint webhook_delivery_event_id_fkey;
alter table webhook_delivery drop constraint webhook_delivery_endpoint_id_fkey;
-- A delivery is found by its endpoint and its event, and an event's endpoints by its merchant.
drop index webhook_delivery_by_event;

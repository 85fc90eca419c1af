-- An item is assigned to a transaction in the database transaction that has just stored it, and no transaction is ever
-- deleted: to look it up again for each item took a third of the assignment's time.
alter table work_item drop constraint work_item_tx_id_fkey;

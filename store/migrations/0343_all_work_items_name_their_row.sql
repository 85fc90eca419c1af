-- remit: statements
drop index concurrently if exists work_item_unnamed;

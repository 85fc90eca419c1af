-- What workers say of themselves is for the operator, who hears of it by the API.
select allow('{worker}', '{select, insert, update, delete}', '{table worker_alarm}');
select allow('{api}', '{select}', '{table worker_alarm}');
select withhold('{notifier, indexer}', '{table worker_alarm}');

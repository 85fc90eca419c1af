-- "foreign" is left to payments in another token or on another chain. What somebody else's transaction did
-- is said in words of its own: it took an account nonce, or made a payment.
alter table relayer_tx drop constraint relayer_tx_state_check;
update relayer_tx set state = 'nonce_taken' where state = 'foreign';
update relayer_tx set kind = 'nonce_taken' where kind = 'foreign';
alter table relayer_tx add constraint relayer_tx_state_check
  check (state in ('signed', 'mined', 'final', 'nonce_taken'));
alter table x402_payment rename column is_foreign to by_others;
alter index x402_payment_foreign rename to x402_payment_by_others;

-- Payments by Permit2, of the schemes exact and upto. Their authorization_nonce is a key that is hashed from the nonce
-- of Permit2, so that none collides with one of EIP-3009; valid_before is the second after the deadline.
alter table x402_payment
  add column scheme text not null default 'exact' check (scheme in ('exact', 'upto')),
  -- The hub that settles it, which an upto payer names as facilitator. Null for EIP-3009, as are the others.
  add column permit_hub evm_address,
  add column permit_nonce base_units,
  -- What the payer allows; of upto, amount is what is taken of it.
  add column permitted positive_units,
  -- The payer's approval of Permit2 by EIP-2612, in the five words that the hub takes.
  add column permit2612 text check (permit2612 ~ '^0x[0-9a-f]*$' and length(permit2612) = 322),
  add constraint x402_payment_permit check (
    (permit_nonce is null) = (permitted is null) and (permit_nonce is null) = (permit_hub is null)
    and (scheme = 'exact' or permit_nonce is not null)
    and (permit2612 is null or permit_nonce is not null)
    and (permitted is null or amount = permitted or (scheme = 'upto' and amount < permitted))) not valid;
alter table x402_payment validate constraint x402_payment_permit;

create or replace function claim_authorizations(claims json)
returns table (id uuid, network_id text, asset text, payer text, authorization_nonce text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with given as materialized (
    select given.*, f.address is null as direct from json_to_recordset(claims) as given (
      id uuid, merchant_id uuid, endpoint_id uuid, network_id text, asset text, payer text,
      authorization_nonce text, pay_to text, amount numeric, valid_after numeric,
      valid_before numeric, signature text, is_wallet boolean, payer_code text,
      claimed_block bigint, is_alone boolean, fee_owed numeric, scheme text, permit_hub text,
      permit_nonce numeric, permitted numeric, permit2612 text)
    left join forwarder f on f.address = given.pay_to and f.merchant_id = given.merchant_id
    where f.address is not null
      or is_own_address(given.merchant_id, given.pay_to, given.network_id)
  ), claimed as (
    insert into x402_payment (id, merchant_id, endpoint_id, network_id, asset, payer,
      authorization_nonce, pay_to, amount, valid_after, valid_before, signature, is_wallet,
      payer_code, claimed_block, direct, fee_owed, scheme, permit_hub, permit_nonce, permitted,
      permit2612)
    select id, merchant_id, endpoint_id, network_id, asset, payer, authorization_nonce, pay_to,
      amount, valid_after, valid_before, signature, is_wallet, payer_code, claimed_block, direct,
      case when direct then coalesce(fee_owed, 0) else 0 end, coalesce(scheme, 'exact'), permit_hub,
      permit_nonce, permitted, permit2612
    from given
    order by authorization_nonce, payer
    on conflict on constraint x402_payment_claim do update set
      status = 'pending', reason = null, version = x402_payment.version + 1,
      signature = excluded.signature, is_wallet = excluded.is_wallet,
      payer_code = excluded.payer_code, permit2612 = excluded.permit2612
    where x402_payment.status = 'failed'
      and x402_payment.pay_to = excluded.pay_to and x402_payment.amount = excluded.amount
      and x402_payment.valid_after = excluded.valid_after
      and x402_payment.valid_before = excluded.valid_before
      and x402_payment.endpoint_id is not distinct from excluded.endpoint_id
      and x402_payment.scheme = excluded.scheme
      and x402_payment.permit_hub is not distinct from excluded.permit_hub
      and x402_payment.permit_nonce is not distinct from excluded.permit_nonce
      and x402_payment.permitted is not distinct from excluded.permitted
    returning id, network_id, asset, payer, authorization_nonce
  ), work as (
    insert into work_item (network_id, kind, dedupe_key, payload, batch_limit, not_before)
    select network_id, case when is_wallet then 'x402_wallet' else 'x402' end,
      'x402:' || network_id || ':' || asset || ':' || payer || ':' || authorization_nonce,
      jsonb_build_object('paymentId', c.id), case when is_alone then 1 else 100 end,
      -- The payer's pause may have begun since it was examined.
      greatest(now(), (select b.until from x402_wallet_pause b
        where is_wallet and b.network_id = c.network_id and b.payer = c.payer))
    from given join claimed c using (network_id, asset, payer, authorization_nonce)
    on conflict (dedupe_key) do update set
      state = 'queued', kind = excluded.kind, tx_id = null, log_index = null, result = null,
      tries = 0, batch_limit = excluded.batch_limit, not_before = excluded.not_before,
      updated_at = now()
    where work_item.state in ('failed', 'review', 'held')
  )
  select id, network_id, asset::text, payer::text, authorization_nonce::text from claimed;
end $$;

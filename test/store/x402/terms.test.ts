import { describe, expect, test } from 'bun:test'
import type { EndpointId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import type { NewClaim } from '../../../store/x402/claims.ts'
import { registerEndpoint } from '../../../store/x402/endpoints.ts'
import { findReservations, findTerms, type TermsQuery } from '../../../store/x402/terms.ts'
import { forThisFile, newAddress, newHash, newNetwork } from '../../support/store/database.ts'
import {
  aClaim,
  anEndpointDraft,
  changePayment,
  failPayment,
  newEndpointId,
  newShop,
  pending,
  place,
  settled,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

function queryOf(wanted: NewClaim, endpointId: EndpointId | null = null): TermsQuery {
  const { networkId, asset, authorization } = wanted
  const { from: payer, nonce: authorizationNonce, to: payTo, value } = authorization
  const amount = baseUnits(value)
  return { networkId, asset, payer, authorizationNonce, payTo, endpointId, amount, resource: null }
}

async function terms(query: TermsQuery) {
  const [found] = await findTerms(sql, [query])
  if (!found) throw new Error('there is no answer')
  return found
}

describe('the terms of a payment', () => {
  test('are its forwarder, its endpoint and what was claimed for it', async () => {
    const shop = await newShop(sql)
    const draft = anEndpointDraft({ ownTransaction: true, acceptsWallets: false })
    const { endpoint } = await registerEndpoint(sql, shop.hub, shop.id, draft, new Date())
    const wanted = aClaim(shop, { validAfter: 3n, value: draft.amount })
    const id = await pending(sql, wanted)
    expect(await terms(queryOf(wanted, endpoint.id))).toEqual({
      payee: { merchantId: shop.id, isDirect: false },
      endpoint: {
        ...{ id: endpoint.id, merchantId: shop.id, networkId: draft.networkId, active: true },
        ...{ asset: draft.asset, amount: draft.amount, ownTransaction: true },
        acceptsWallets: false,
        isFormerPrice: false,
        isListed: false,
      },
      payment: {
        ...{ id, merchantId: shop.id, endpointId: null, payTo: shop.forwarder, status: 'pending' },
        ...{
          amount: baseUnits(wanted.authorization.value),
          scheme: 'exact',
          permitted: null,
          validAfter: 3n,
          signature: wanted.signature,
          isHeld: false,
        },
        validBefore: wanted.authorization.validBefore,
      },
      reserved: 0n,
      pausedUntil: null,
      heldTerms: null,
    })
  })

  test('are none where nothing is known', async () => {
    const shop = await newShop(sql)
    await pending(sql, aClaim(shop))
    const wanted = aClaim(shop, { to: newAddress() })
    const nothing = {
      payee: null,
      endpoint: null,
      payment: null,
      reserved: 0n,
      pausedUntil: null,
      heldTerms: null,
    }
    expect(await terms(queryOf(wanted, newEndpointId()))).toEqual(nothing)
  })

  test('are those of this very authorization', async () => {
    const shop = await newShop(sql)
    const wanted = aClaim(shop)
    await pending(sql, wanted)
    const query = queryOf(wanted)
    for (const other of [
      { ...query, networkId: newNetwork() },
      { ...query, asset: newAddress() },
      { ...query, payer: newAddress() },
      { ...query, authorizationNonce: newHash() },
    ]) {
      expect((await terms(other)).payment).toBeNull()
    }
    expect((await terms(query)).payment).not.toBeNull()
  })

  test('are answered in the order of the questions', async () => {
    const shops = [await newShop(sql), await newShop(sql), await newShop(sql)]
    const found = await findTerms(
      sql,
      shops.toReversed().map((shop) => queryOf(aClaim(shop))),
    )
    const owners = found.map(({ payee }) => payee?.merchantId)
    expect(owners).toEqual(shops.toReversed().map(({ id }) => id))
  })
})

describe('what a payer has promised', () => {
  /** Payments by one payer, of which those that are pending promise 5 and 6 units. */
  async function promised() {
    const shop = await newShop(sql)
    const from = newAddress()
    const of = (given: Parameters<typeof aClaim>[1] = {}) => aClaim(shop, { from, ...given })
    const pendingOnes = [of({ value: 5n }), of({ value: 6n })]
    for (const one of pendingOnes) await pending(sql, one)
    await failPayment(sql, await pending(sql, of({ value: 100n })))
    await settled(sql, of({ value: 200n }))
    await pending(sql, of({ value: 300n, from: newAddress() }))
    await pending(sql, of({ value: 400n, asset: newAddress() }))
    await pending(sql, of({ value: 500n, networkId: newNetwork() }))
    const own = of({ value: 600n })
    await pending(sql, own)
    await changePayment(sql, await pending(sql, of({ value: 700n })), { confirmed_at: new Date() })
    return { own, pendingOnes }
  }

  test('is the sum of its other pending payments', async () => {
    const { own } = await promised()
    expect((await terms(queryOf(own))).reserved).toBe(11n)
  })

  test('is told of the oldest of them, as many as are asked for', async () => {
    const { own, pendingOnes } = await promised()
    const [first, second] = pendingOnes.map(({ authorization: { nonce, value } }) => ({
      ...{ nonce, permitNonce: null, amount: value },
    }))
    if (!first || !second) throw new Error('no payments')
    const query = queryOf(own)
    expect(await findReservations(sql, query, 5)).toEqual({
      reserved: 11n,
      oldest: [first, second],
    })
    expect(await findReservations(sql, query, 1)).toEqual({ reserved: 11n, oldest: [first] })
    const nobody = { ...query, payer: newAddress() }
    expect(await findReservations(sql, nobody, 5)).toEqual({ reserved: 0n, oldest: [] })
    // What was settled in a block that is gone may have to be paid again.
    const gone = aClaim(await newShop(sql), { from: own.authorization.from, value: 7n })
    await settled(sql, gone, place(77n))
    await sql`
      insert into chain_block (network_id, number, hash, parent_hash, time)
      values (${query.networkId}, 77, ${newHash()}, ${newHash()}, now())`
    expect((await findReservations(sql, query, 5)).oldest.map(({ nonce }) => nonce)).toContain(
      gone.authorization.nonce,
    )
  })
})

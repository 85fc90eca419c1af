import { describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { insertChainState } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { readServer } from '../../../store/database/primary.ts'
import { noteCompared, withdrawUnsent } from '../../../store/invoice/locking.ts'
import { submitTransfers } from '../../../store/invoice/submissions.ts'
import { advance, advanceWithWork } from '../../../store/relayer/transition.ts'
import { findAuthorization, readAuthorizations } from '../../../store/x402/invoiceClaims.ts'
import { withdraw } from '../../../store/x402/outcomes.ts'
import { AUTHORIZATIONS } from '../../../store/x402/settles.ts'
import { findReservations } from '../../../store/x402/terms.ts'
import { aPayment } from '../../support/core/invoiceRows.ts'
import { openAs } from '../../support/servers/roles.ts'
import {
  forThisFile,
  newAddress,
  newHash,
  newNetwork,
  openTransaction,
} from '../../support/store/database.ts'
import {
  storeConfig,
  storeInvoice,
  storeMerchant,
  storePayment,
  USDC,
} from '../../support/store/invoice.ts'
import {
  anInvoiceClaim,
  authorizationRow,
  claimedInvoice,
  claimInvoice,
} from '../../support/store/invoiceClaims.ts'
import { storeAttempt, storeKey, storeTransaction } from '../../support/store/relayer.ts'
import {
  aClaim,
  claim,
  NETWORK,
  newShop,
  pending,
  place,
  TOKEN,
  types,
} from '../../support/store/x402.ts'

let sql: Database
let url = ''
forThisFile((database, databaseUrl) => {
  sql = database
  url = databaseUrl
})

async function newInvoice(
  change: Parameters<typeof storeInvoice>[2] = {},
  merchantId?: MerchantId,
) {
  return storeInvoice(sql, merchantId ?? (await storeMerchant(sql)), change)
}

describe('what is due of an invoice', () => {
  test('is claimed once, by whichever of fifty is first', async () => {
    const { id } = await newInvoice()
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        claimInvoice(sql, anInvoiceClaim(id, { method: i % 2 === 0 ? 'signature' : 'x402' })),
      ),
    )
    expect(results.filter(({ type }) => type === 'claimed')).toHaveLength(1)
    const others = results.filter(({ type }) => type === 'refused')
    expect(new Set(others.map((one) => 'reason' in one && one.reason))).toEqual(
      new Set(['in_flight']),
    )
    const rows = await sql`select from invoice_authorization where invoice_id = ${id}`
    expect(rows).toHaveLength(1)
  })

  test('has to be signed exactly, less what was seen and what is on its way', async () => {
    const { id } = await newInvoice({
      pendingAmount: baseUnits(300_000n),
      receivedAmount: baseUnits(200_000n),
    })
    const of = (value: bigint) => claimInvoice(sql, anInvoiceClaim(id, { value }))
    for (const value of [1_000_000n, 499_999n, 500_001n]) {
      expect(await of(value)).toEqual({ type: 'refused', reason: 'amount_not_due' })
    }
    expect(await of(500_000n)).toMatchObject({ type: 'claimed' })
  })

  test('is less what was submitted, before a worker has derived it', async () => {
    const { id: invoiceId, merchantId } = await newInvoice()
    const { address: token } = USDC
    const seen = aPayment(400_000n, { networkId: NETWORK, token, txHash: newHash() })
    const source = { database: sql, config: storeConfig() }
    await submitTransfers(source, { merchantId, invoiceId }, [seen])
    const of = (value: bigint) => claimInvoice(sql, anInvoiceClaim(invoiceId, { value }))
    expect(await of(1_000_000n)).toEqual({ type: 'refused', reason: 'amount_not_due' })
    expect(await of(600_000n)).toMatchObject({ type: 'claimed' })
  })

  test('is nothing of an invoice that is paid or past its end', async () => {
    const past = new Date(Date.now() - 1_000)
    for (const change of [{ status: 'paid' as const }, { expiresAt: past }, { closedAt: past }]) {
      const { id } = await newInvoice(change)
      const result = await claimInvoice(sql, anInvoiceClaim(id))
      expect(result).toEqual({ type: 'refused', reason: 'not_payable' })
    }
  })

  test('is claimed until the ledger has the transfer, and again after that was reverted', async () => {
    const { id } = await newInvoice()
    const txHash = newHash()
    const at = place(101n, { txHash })
    const claimed = await claimedInvoice(sql, anInvoiceClaim(id))
    await sql.begin((to) =>
      advance(to, AUTHORIZATIONS, 'mined', [{ id: claimed, logIndex: at.logIndex }], at),
    )
    const isClaimed = async () => (await readAuthorizations(sql, [id]))[0]?.isClaimed
    expect(await isClaimed()).toBe(true)
    const { logIndex } = at
    await storePayment(sql, id, 1_000_000n, { txHash, logIndex })
    expect(await isClaimed()).toBe(false)
    await sql`
      update payment set status = 'reverted', confirmed_at = null, reverted_at = now()
      where invoice_id = ${id}`
    expect(await isClaimed()).toBe(true)
  })
})

describe('another signature of the same payer', () => {
  test('replaces one that was not sent, and books no gas for it', async () => {
    const { id } = await newInvoice()
    const from = newAddress()
    const first = await claimedInvoice(sql, anInvoiceClaim(id, { from }))
    await claimedInvoice(sql, anInvoiceClaim(id, { from }))
    expect(await authorizationRow(sql, first)).toMatchObject({
      ...{ status: 'replaced', state: 'failed', gasBooked: 0n },
    })
  })

  test('that is refused replaces nothing', async () => {
    const { id } = await newInvoice()
    const from = newAddress()
    const first = await claimedInvoice(sql, anInvoiceClaim(id, { from }))
    const poor = anInvoiceClaim(id, { from, balance: 999_999n })
    expect(await claimInvoice(sql, poor)).toEqual({ type: 'refused', reason: 'insufficient_funds' })
    expect(await authorizationRow(sql, first)).toMatchObject({ status: 'pending', state: 'queued' })
  })

  test('does not replace one that was ever signed for, or that an x402 client waits for', async () => {
    const from = newAddress()
    const sent = await newInvoice()
    const first = await claimedInvoice(sql, anInvoiceClaim(sent.id, { from }))
    const { itemId } = await authorizationRow(sql, first)
    const tx = await storeTransaction(sql, await storeKey(sql))
    await sql`update work_item set state = 'assigned', tx_id = ${tx} where id = ${itemId}`
    await sql`update work_item set state = 'queued', tx_id = null where id = ${itemId}`
    const waited = await newInvoice()
    await claimedInvoice(sql, anInvoiceClaim(waited.id, { from, method: 'x402' }))
    for (const { id } of [sent, waited]) {
      const result = await claimInvoice(sql, anInvoiceClaim(id, { from }))
      expect(result).toEqual({ type: 'refused', reason: 'in_flight' })
    }
  })
})

describe('a payer’s balance', () => {
  test('is promised once to invoices and x402 payments together', async () => {
    const from = newAddress()
    const shop = await newShop(sql)
    const balance = 1_500_000n
    const first = await newInvoice()
    await claimedInvoice(sql, anInvoiceClaim(first.id, { from, balance }))
    const x402 = (value: bigint) => aClaim(shop, { from, value, balance })
    expect(types(await claim(sql, x402(500_001n)))).toEqual(['insufficient_funds'])
    expect(types(await claim(sql, x402(500_000n)))).toEqual(['claimed'])
    const second = await newInvoice()
    expect(await claimInvoice(sql, anInvoiceClaim(second.id, { from, balance }))).toEqual({
      ...{ type: 'refused', reason: 'insufficient_funds' },
    })
    const query = { networkId: NETWORK, asset: TOKEN, payer: from, authorizationNonce: newHash() }
    expect((await findReservations(sql, query, 10)).reserved).toBe(1_500_000n)
  })

  test('is less what has left it since it was read, also where that is confirmed', async () => {
    const from = newAddress()
    const first = await newInvoice()
    const paid = { id: await claimedInvoice(sql, anInvoiceClaim(first.id, { from })), logIndex: 0 }
    await sql.begin((to) => advance(to, AUTHORIZATIONS, 'mined', [paid], place(101n)))
    await sql.begin((to) => advance(to, AUTHORIZATIONS, 'confirmed', [paid]))
    const { id } = await newInvoice()
    const read = (block: bigint) => anInvoiceClaim(id, { from, balance: 1_000_000n, block })
    expect(await claimInvoice(sql, read(100n))).toMatchObject({ reason: 'insufficient_funds' })
    expect(await claimInvoice(sql, read(101n))).toMatchObject({ type: 'claimed' })
  })

  test('is not promised to one nonce twice, through either door', async () => {
    const [from, nonce] = [newAddress(), newHash()]
    await pending(sql, aClaim(await newShop(sql), { from, nonce }))
    const { id } = await newInvoice()
    const again = await claimInvoice(sql, anInvoiceClaim(id, { from, nonce }))
    expect(again).toEqual({ type: 'refused', reason: 'authorization_used' })
    const other = anInvoiceClaim((await newInvoice()).id)
    await claimedInvoice(sql, other)
    const shop = await newShop(sql)
    expect(types(await claim(sql, aClaim(shop, { ...other.authorization })))).toEqual(['taken'])
    const taken = anInvoiceClaim(id, { ...other.authorization })
    expect(await claimInvoice(sql, taken)).toMatchObject({ reason: 'authorization_used' })
  })
})

describe('limits of a day', () => {
  test('the merchant’s gas, to the last unit', async () => {
    const merchantId = await storeMerchant(sql)
    const of = async (gasCost: bigint) => {
      const { id } = await newInvoice({}, merchantId)
      return claimInvoice(sql, anInvoiceClaim(id, { gasCost }), { gasPerMerchant: 10_000n })
    }
    expect(await of(9_000n)).toMatchObject({ type: 'claimed' })
    expect(await of(1_001n)).toEqual({ type: 'refused', reason: 'limit_reached' })
    expect(await of(1_000n)).toMatchObject({ type: 'claimed' })
    expect(await of(1n)).toEqual({ type: 'refused', reason: 'limit_reached' })
  })

  test('the merchant’s gas, exactly over three processes', async () => {
    const merchantId = await storeMerchant(sql)
    const invoices = await Promise.all(
      Array.from({ length: 30 }, async () => (await newInvoice({}, merchantId)).id),
    )
    const script = `${import.meta.dir}/../../support/store/claimingProcess.ts`
    const claimed = await Promise.all(
      [0, 1, 2].map(async (part) => {
        const own = invoices.filter((_, i) => i % 3 === part)
        const { stdout } = Bun.spawn(['bun', script, url, '17000', ...own], { stdout: 'pipe' })
        return Number(await new Response(stdout).text())
      }),
    )
    expect(claimed.reduce((all, one) => all + one, 0)).toBe(17)
    const [sum] = await sql<{ gas: bigint }[]>`
      select sum(gas_booked) as gas from invoice_authorization where merchant_id = ${merchantId}`
    expect(sum?.gas).toBe(17_000n)
  }, 60_000)

  test('what one network has sent that pays nothing', async () => {
    const merchantId = await storeMerchant(sql)
    const of = async (networkTags: string[]) => {
      const { id } = await newInvoice({}, merchantId)
      return claimInvoice(sql, anInvoiceClaim(id, { networkTags }), { unpaidPerClient: 1 })
    }
    expect(await of(['a', 'wide'])).toMatchObject({ type: 'claimed' })
    expect(await of(['a', 'wide'])).toEqual({ type: 'refused', reason: 'limit_reached' })
    expect(await of(['b', 'wide'])).toMatchObject({ type: 'claimed' })
    expect(await of(['c', 'wide'])).toEqual({ type: 'refused', reason: 'limit_reached' })
  })

  test('what a payer has had fail, but not for our own lateness', async () => {
    const fail = async (from: Address, reason: string) => {
      const { id } = await newInvoice()
      const claimed = await claimedInvoice(sql, anInvoiceClaim(id, { from }))
      await sql.begin((to) =>
        advanceWithWork(to, AUTHORIZATIONS, 'failed', [{ id: claimed, reason }]),
      )
    }
    const [poor, late] = [newAddress(), newAddress()]
    for (let failed = 0; failed < 5; failed++) {
      await fail(poor, 'insufficient_funds')
      await fail(late, 'payment_expired')
    }
    const { id } = await newInvoice()
    const result = await claimInvoice(sql, anInvoiceClaim(id, { from: poor }))
    expect(result).toEqual({ type: 'refused', reason: 'limit_reached' })
    await claimedInvoice(sql, anInvoiceClaim(id, { from: late }))
  })
})

describe('a claim that waits', () => {
  test('is withdrawn after ten seconds, and can be claimed again', async () => {
    const { id } = await newInvoice()
    const wanted = anInvoiceClaim(id)
    const claimed = await claimedInvoice(sql, wanted)
    expect(await withdraw(sql, claimed)).toBe(false)
    await sql`
      update work_item set updated_at = now() - interval '11 seconds'
      where subject_id = ${claimed}`
    expect(await withdraw(sql, claimed)).toBe(true)
    expect(await authorizationRow(sql, claimed)).toMatchObject({ status: 'failed', gasBooked: 0n })
    expect(await claimedInvoice(sql, wanted)).toBe(claimed)
    expect(await authorizationRow(sql, claimed)).toMatchObject({
      status: 'pending',
      state: 'queued',
    })
  })

  test('is withdrawn by no one while a relayer has locked it', async () => {
    const { id } = await newInvoice()
    const claimed = await claimedInvoice(sql, anInvoiceClaim(id))
    const { itemId } = await authorizationRow(sql, claimed)
    const tx = await storeTransaction(sql, await storeKey(sql))
    const relayer = await openTransaction(
      sql,
      (to) => to`select from work_item where id = ${itemId} for update`,
    )
    const withdrawing = withdraw(sql, claimed, true)
    await relayer.sql`update work_item set state = 'assigned', tx_id = ${tx} where id = ${itemId}`
    await relayer.commit()
    expect(await withdrawing).toBe(false)
  })

  test('is withdrawn once the server is compared, where its invoice has ended before', async () => {
    const merchantId = await storeMerchant(sql)
    const networkId = newNetwork()
    const claims = []
    for (let i = 0; i < 3; i += 1) {
      const { id } = await newInvoice({}, merchantId)
      const claimed = await claimedInvoice(sql, anInvoiceClaim(id))
      claims.push({ invoiceId: id, claimed })
    }
    const [ended, sent, open] = claims
    if (!ended || !sent || !open) throw new Error('there are no claims')
    const ids = claims.map(({ claimed }) => claimed)
    await insertChainState(sql, networkId, 84_532, newHash())
    await sql`update chain_state set compared_server = 'epoch' where network_id = ${networkId}`
    await sql`update invoice_authorization set network_id = ${networkId} where id = any(${ids})`
    await sql`
      update work_item set server = 'epoch', network_id = ${networkId} where subject_id = any(${ids})`
    await sql`update work_item set carried_by = 1 where subject_id = ${sent.claimed}`
    for (const { invoiceId } of [ended, sent]) {
      await sql`update invoice set closed_at = now() where id = ${invoiceId}`
      await sql.begin((to) => withdrawUnsent(to, { merchantId, invoiceId }))
    }
    const statuses = async () =>
      (await Promise.all(ids.map((id) => authorizationRow(sql, id)))).map(({ status }) => status)
    expect(await statuses()).toEqual(['pending', 'pending', 'pending'])
    const worker = await openAs(url, 'worker')
    await worker.begin(async (to) => noteCompared(to, networkId, await readServer(to)))
    await worker.end()
    expect(await statuses()).toEqual(['replaced', 'pending', 'pending'])
  })

  test('shows the transaction that carries it', async () => {
    const { id } = await newInvoice()
    const wanted = anInvoiceClaim(id)
    const { itemId } = await authorizationRow(sql, await claimedInvoice(sql, wanted))
    const read = () => findAuthorization(sql, NETWORK, TOKEN, wanted.authorization)
    expect((await read())?.transaction).toBeNull()
    const tx = await storeTransaction(sql, await storeKey(sql))
    const hash = await storeAttempt(sql, tx)
    await sql`update work_item set state = 'assigned', tx_id = ${tx} where id = ${itemId}`
    expect((await read())?.transaction).toBe(hash)
  })
})

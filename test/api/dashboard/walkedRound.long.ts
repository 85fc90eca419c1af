import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { privateKeyToAccount } from 'viem/accounts'
import { ownAddressTypedData } from '../../../chain/blocks/ownAddress.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import { checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { waitUntil } from '../../../dev/processes/child.ts'
import type { Queryable } from '../../../store/database/database.ts'
import { confirm, followChains, PAYER, pay } from '../../support/api/ledger.ts'
import { newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import { leaderTurn } from '../../support/api/recipients.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { remit } from '../../support/cli/run.ts'
import { openAs } from '../../support/servers/roles.ts'

/** Rules on what needs a second person, and ways around them for one person or one key. */

const OWN = checksumAddress(lowerCaseAddress(`0x${'d'.repeat(40)}`))
const LIST = '/v1/settings/approved-recipients'

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
  await followChains(rig)
}, 120_000)
afterAll(() => rig.close())

interface Shop {
  readonly id: MerchantId
  readonly key: string
  readonly owner: SignedIn
  readonly finance: SignedIn
}

async function newShop(rules: unknown): Promise<Shop> {
  const { merchant, secretKey } = await rig.newMerchant()
  const { id } = merchant
  const owner = await newMember(rig, 'owner', id)
  const shop = { id, key: secretKey, owner, finance: await newMember(rig, 'finance', id) }
  const set = await by(shop, owner, 'POST', '/v1/settings/approvals', rules)
  expect(set.json.data).toEqual({ isInForce: true })
  return shop
}

const by = ({ id }: Shop, who: SignedIn, method: string, path: string, body?: unknown) =>
  who.browser.api(method, id, path, body)
async function approve(shop: Shop, who: SignedIn, id: string) {
  const answer = await by(shop, who, 'POST', `/v1/approvals/${id}/approve`)
  await leaderTurn(rig)
  return answer
}
const requests = async (shop: Shop) =>
  Object((await by(shop, shop.owner, 'GET', '/v1/approvals')).json.data)

async function paidInvoice({ key }: Shop): Promise<string> {
  const body = { tokenSymbol: 'USDC', amountExpected: '10' }
  const invoice = (await rig.call('POST', '/v1/invoices', { key, body })).json.data
  await pay(rig, invoice, 9_000_000n)
  await confirm(rig, invoice)
  return invoice.id
}

/** Asks for a refund; by the key where no one is named. Whether it waits for a second person. */
async function refundWaits(
  shop: Shop,
  amount: string,
  { who = null, of }: { readonly who?: SignedIn | null; readonly of?: string } = {},
): Promise<boolean> {
  const id = of ?? (await paidInvoice(shop))
  const body = { amount, address: PAYER, idempotencyKey: crypto.randomUUID() }
  const path = `/v1/invoices/${id}/refunds`
  const answer =
    who === null
      ? await rig.call('POST', path, { key: shop.key, body })
      : await by(shop, who, 'POST', path, body)
  expect(answer.status).toBe(201)
  const [item] = await rig.database<{ waits: boolean }[]>`
    select w.not_before > now() as waits from work_item w
    where w.dedupe_key = 'refund:' || ${String(answer.json.data?.id)}`
  return item?.waits ?? false
}

describe('refunds', () => {
  test('in small parts add up, over requesters and invoices, within 24 hours', async () => {
    const shop = await newShop({ recipient: false, refundsAbove: '2.5' })
    expect(await refundWaits(shop, '1', { who: shop.finance })).toBe(false)
    expect(await refundWaits(shop, '1')).toBe(false)
    expect(await refundWaits(shop, '0.500001', { who: shop.owner })).toBe(true)
    // What another person decides on is no one's alone.
    expect(await refundWaits(shop, '0.5')).toBe(false)
    expect(await refundWaits(shop, '0.000001')).toBe(true)
    await rig.database`
      update refund set created_at = created_at - interval '24 hours' where merchant_id = ${shop.id}`
    expect(await refundWaits(shop, '2.5')).toBe(false)
    const other = await newShop({ recipient: false, refundsAbove: '2.5' })
    expect(await refundWaits(other, '2.5')).toBe(false)
  })

  test('at the same moment are held one after the other', async () => {
    const shop = await newShop({ recipient: false, refundsAbove: '2' })
    expect(await refundWaits(shop, '1.5')).toBe(false)
    const age = (sql: Queryable, by: string) => sql`
      update refund set created_at = created_at + ${by}::interval where merchant_id = ${shop.id}`
    await age(rig.database, '-25 hours')
    const of = await paidInvoice(shop)
    let waits = Promise.resolve(false)
    // Another refund is being held, which the one that comes meanwhile can't see yet.
    await rig.database.begin(async (sql) => {
      await sql`select lock_refund_sum(${shop.id})`
      await age(sql, '25 hours')
      waits = refundWaits(shop, '1', { of })
      await waitUntil(isOneWaiting, 60_000)
    })
    expect(await waits).toBe(true)
  })
})

async function isOneWaiting(): Promise<boolean> {
  const waiting = await rig.database`
    select from pg_stat_activity where wait_event_type = 'Lock' and query like '%lock_refund_sum%'`
  return waiting.length > 0
}

describe('a vote', () => {
  test('counts while the voter is an owner or of finance', async () => {
    const shop = await newShop({ recipient: false, refundsAbove: '1' })
    const bob = await newMember(rig, 'owner', shop.id)
    await rig.database`
      update member set role_since = role_since - interval '2 days' where merchant_id = ${shop.id}`
    expect(await refundWaits(shop, '2')).toBe(true)
    const [{ id, needed }] = await requests(shop)
    expect(needed).toBe(2)
    expect((await approve(shop, shop.finance, id)).json.data).toMatchObject({ isApproved: false })
    const setRole = (role: string) =>
      remit(
        { DATABASE_URL: rig.config.databaseUrl },
        ...['merchant', 'member', shop.id, '--email', shop.finance.email, '--role', role],
      )
    expect((await setRole('support')).code).toBe(0)
    expect(await requests(shop)).toMatchObject([{ approvedBy: [] }])
    expect((await setRole('finance')).code).toBe(0)
    // The role of before is over, with what was done by it.
    expect((await approve(shop, shop.owner, id)).json.data).toMatchObject({ isApproved: false })
    expect(await requests(shop)).toMatchObject([{ approvedBy: [`Ada <${shop.owner.email}>`] }])
    expect((await approve(shop, bob, id)).json.data).toMatchObject({ isApproved: true })
  })
})

describe('a recipient of its own', () => {
  const create = ({ key }: Shop, recipient: string, externalRef = crypto.randomUUID()) => {
    const body = { tokenSymbol: 'USDC', amountExpected: '10', recipient, externalRef }
    return rig.call('POST', '/v1/invoices', { key, body })
  }

  test('is unrestricted without the rule, and with it comes from the approved addresses', async () => {
    const shop = await newShop({ recipient: false, refundsAbove: '1' })
    const developer = await newMember(rig, 'developer', shop.id)
    const before = crypto.randomUUID()
    const made = await create(shop, OWN, before)
    expect(made.status).toBe(201)
    await rig.database`update approval_policy set recipient = true where merchant_id = ${shop.id}`
    const refused = { status: 403, json: { code: 'approval_required' } }
    expect(await create(shop, OWN)).toMatchObject(refused)
    const path = '/v1/invoices'
    const body = { tokenSymbol: 'USDC', amountExpected: '10', recipient: OWN }
    expect(await by(shop, developer, 'POST', path, body)).toMatchObject(refused)
    expect(await by(shop, shop.owner, 'POST', path, body)).toMatchObject(refused)
    // What was made before is answered as before.
    const again = await create(shop, OWN, before)
    expect([again.status, again.json.data.id]).toEqual([200, made.json.data.id])
    const [merchant] = await rig.database`select recipient from merchant where id = ${shop.id}`
    expect((await create(shop, merchant?.recipient)).status).toBe(201)

    expect((await by(shop, developer, 'POST', LIST, { address: OWN })).json.code).toBe(
      'role_not_sufficient',
    )
    const asked = await by(shop, shop.owner, 'POST', LIST, { address: OWN })
    expect(asked.json.data).toEqual({ id: OWN, isInForce: false })
    expect((await by(shop, shop.owner, 'POST', LIST, { address: OWN })).json.code).toBe(
      'approval_open',
    )
    expect(await create(shop, OWN)).toMatchObject(refused)
    const [request] = await requests(shop)
    expect(request).toMatchObject({ kind: 'address', recipient: OWN })
    expect((await approve(shop, shop.owner, request.id)).json.code).toBe('other_person_required')
    expect((await approve(shop, shop.finance, request.id)).status).toBe(200)
    expect((await create(shop, OWN)).status).toBe(201)
    const list = (await by(shop, developer, 'GET', LIST)).json.data
    expect(list).toMatchObject([{ address: OWN, addedBy: `Ada <${shop.owner.email}>` }])
    expect((await by(shop, shop.owner, 'DELETE', `${LIST}/${OWN}`)).status).toBe(200)
    expect(await create(shop, OWN)).toMatchObject(refused)
    expect(await create(await newShop({ recipient: false }), OWN)).toMatchObject({ status: 201 })
  })

  test('that a process did not look up before it stores it fails alone', async () => {
    const shop = await newShop({ recipient: true })
    const other = { ...shop, key: (await rig.newMerchant()).secretKey }
    // Only the trigger refuses it, among invoices of others in one statement.
    const [original] = await rig.database<{ definition: string; body: string }[]>`
      select pg_get_functiondef(oid) as definition, prosrc as body from pg_proc where proname = 'may_be_paid_to'`
    if (original === undefined) throw new Error('there is no such function')
    const { definition, body } = original
    await rig.database.unsafe(
      definition.replace(body, () => `select pg_trigger_depth() = 0 or (${body})`),
    )
    try {
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => create(n % 8 === 3 ? shop : other, OWN)),
      )
      const stored = answers.map(({ status }) => status === 201)
      expect(stored).toEqual(answers.map((_, n) => n % 8 !== 3))
    } finally {
      await rig.database.unsafe(definition)
    }
  })

  test('of x402 payments comes from the same list', async () => {
    const shop = await newShop({ recipient: true })
    const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)
    const address = lowerCaseAddress(account.address)
    const signature = await account.signTypedData(ownAddressTypedData(shop.id, address))
    const register = () =>
      rig.call('POST', `/v1/x402/addresses/${account.address}`, {
        key: shop.key,
        body: { signature },
      })
    expect(await register()).toMatchObject({ status: 403, json: { code: 'approval_required' } })
    await by(shop, shop.owner, 'POST', LIST, { address: account.address })
    const [{ id }] = await requests(shop)
    await approve(shop, shop.finance, id)
    expect((await register()).status).toBe(200)
  })

  test('is no choice of the API’s credentials either', async () => {
    const shop = await newShop({ recipient: true })
    const invoiceId = await paidInvoice(shop)
    const api = await openAs(rig.config.databaseUrl, 'api', 1)
    const own = lowerCaseAddress(OWN)
    const [person] = await rig.database`
      select id from auth."user" where email = ${shop.owner.email}`
    for (const query of [
      api`
        insert into invoice (id, merchant_id, reference, token_symbol, chains, amount_expected,
          underpayment_tolerance, fee_cap, platform_fee, recipient, hub, deposit_address, metadata, created_at)
        select ${Bun.randomUUIDv7()}, merchant_id, 'AAAAAAAAAA', token_symbol, chains, amount_expected,
          underpayment_tolerance, fee_cap, platform_fee, ${own}, hub, ${`0x${'e'.repeat(40)}`}, '{}', now()
        from invoice where id = ${invoiceId}`,
      api`insert into x402_own_address (id, merchant_id, address, signature, created_at)
        values (${Bun.randomUUIDv7()}, ${shop.id}, ${own}, '0x00', now())`,
      api`insert into approved_recipient (merchant_id, address, added_by) values (${shop.id}, ${own}, 'x')`,
      api`select ask_for_approved_recipient(${shop.id}, ${own}, ${person?.id}, 'x')`,
      api`select remove_approved_recipient(${shop.id}, ${own}, ${person?.id})`,
    ]) {
      await expect(query.execute()).rejects.toThrow(/not approved|permission denied|no permitted/)
    }
    await api.end()
  })
})

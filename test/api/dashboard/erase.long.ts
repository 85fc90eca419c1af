import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asMerchantId } from '../../../core/base/ids.ts'
import { formatSessionId } from '../../../core/checkout/session.ts'
import { type ErasureTerms, erase } from '../../../store/operate/erase.ts'
import { findRemains } from '../../../store/operate/remains.ts'
import type { Subject } from '../../../store/operate/subject.ts'
import { confirm, followChains, PAYER, pay, settle } from '../../support/api/ledger.ts'
import { newMember, openDashboardRig } from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { remit } from '../../support/cli/run.ts'
import { newAddress } from '../../support/store/database.ts'

/** What is personal can be erased, and no row of money knows of it. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
  await followChains(rig)
}, 120_000)
afterAll(() => rig.close())

const TERMS: ErasureTerms = { operator: 'olivia', isTrial: false, batch: 2 }
const run = (subject: Subject, change: Partial<ErasureTerms> = {}) =>
  erase(rig.database, subject, { ...TERMS, ...change })

let numbers = 0
const unique = () => `payer${++numbers}.${crypto.randomUUID().slice(0, 8)}@example.org`

/** An invoice that was paid and settled, and of whose payer everything is known that can be. */
async function paidInvoice(email: string) {
  const { secretKey: key, merchant } = await rig.newMerchant()
  const body = {
    ...{ tokenSymbol: 'USDC', amountExpected: '10', externalRef: crypto.randomUUID() },
    metadata: { 'e-mail': email, 'who\'s "paying"': `Ada <${email}>`, customer: 'customer-4711' },
  }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const invoice = (await rig.call('POST', '/v1/invoices', { key, body, headers })).json.data
  const refundTo = newAddress()
  await rig.database`
    update invoice set payer_refund_address = ${refundTo} where id = ${invoice.id}`
  const clientTag = crypto.randomUUID()
  const session = formatSessionId(crypto.getRandomValues(new Uint8Array(16)))
  await rig.database`
    insert into checkout_session (id, merchant_id, invoice_id, created_at)
    values (${session}, ${merchant.id}, ${invoice.id}, now())`
  await rig.database`
    insert into checkout_session_invoice
      (invoice_id, session_id, merchant_id, by_payer, client_tag, network_tags, created_at)
    values (${invoice.id}, ${session}, ${merchant.id}, true, ${clientTag}, ${[clientTag]}, now())`
  await pay(rig, invoice, 10_000_000n)
  await confirm(rig, invoice)
  await settle(rig, invoice)
  await rig.database`
    insert into audit_entry (merchant_id, actor, actor_id, actor_name, action, object_id, after)
    values (${merchant.id}, 'key', 'abcd', 'secret key', 'createInvoice', ${invoice.id},
      ${JSON.stringify(body)}::text::jsonb)`
  const read = async () => (await rig.call('GET', `/v1/invoices/${invoice.id}`, { key })).json.data
  const report = async () => (await rig.call('GET', '/v1/reports/transactions.csv', { key })).text
  return { key, merchantId: asMerchantId(merchant.id), invoice, refundTo, clientTag, read, report }
}

/** Every row of money there is, as text. */
async function money(): Promise<string> {
  const parts = await Promise.all(
    [
      ...['payment', 'settlement', 'refund', 'refund_part', 'external_refund', 'x402_payment'],
      ...['x402_distribution', 'relayer_tx', 'work_item', 'movement_tally', 'money_total'],
      ...['movement_tally_change', 'invoice_tally', 'gas_spent', 'watched', 'forwarder'],
    ].map(async (table) => {
      const [row] = await rig.database<{ text: string }[]>`
        select coalesce(string_agg(t::text, E'\n' order by t::text), '') as text
        from ${rig.database(table)} t`
      return `${table}\n${row?.text}`
    }),
  )
  const invoices = await rig.database<{ text: string }[]>`
    select (to_jsonb(i) - 'metadata' - 'payer_refund_address')::text as text
    from invoice i order by id`
  return [...parts, ...invoices.map(({ text }) => text)].join('\n')
}

/** The same question as the command's own, asked of whole rows. */
async function holders(word: string): Promise<string[]> {
  const tables = await rig.database<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'auth') and table_type = 'BASE TABLE'`
  expect(tables.length).toBeGreaterThan(50)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await rig.database.unsafe(
      `select 1 from ${name} t where position($1 in lower(t::text)) > 0 limit 1`,
      [word.toLowerCase()],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('what is known of a payer', () => {
  test.each(['email', 'refundAddress', 'payer', 'invoice', 'metadata'] as const)(
    'is erased by %s, to the last column, and the money stays as it is',
    async (type) => {
      const email = unique()
      const paid = await paidInvoice(email)
      const other = await paidInvoice(unique())
      const subjects: Record<typeof type, Subject> = {
        email: { type: 'email', email },
        refundAddress: { type: 'refundAddress', address: paid.refundTo },
        payer: { type: 'payer', address: PAYER },
        invoice: { type: 'invoice', invoiceId: paid.invoice.id },
        metadata: { type: 'metadata', merchantId: paid.merchantId, key: 'e-mail', value: email },
      }
      const subject = subjects[type]
      const [before, report, kept] = [await money(), await paid.report(), await other.read()]
      expect(await holders(email)).toContain('public.invoice')
      const trial = await run(subject, { isTrial: true })
      expect(trial.rows.invoice).toBeGreaterThanOrEqual(1)
      expect(await holders(email)).toContain('public.outbox')

      const { rows, remains } = await run(subject)
      expect(rows).toEqual(trial.rows)
      expect(remains).toEqual([])
      for (const word of [email, paid.refundTo, paid.clientTag]) {
        expect(await holders(word)).toEqual([])
      }
      expect(await money()).toBe(before)
      expect(await paid.report()).toBe(report)
      expect(await paid.read()).toMatchObject({ metadata: {}, payerRefundAddress: null })
      if (type !== 'payer') expect(await other.read()).toEqual(kept)
      expect((await run(subject)).rows).toEqual({})
    },
  )

  test('is not found by what it was any more, and the log says how much was erased', async () => {
    const email = unique()
    const { key, invoice } = await paidInvoice(email)
    const list = () =>
      rig.call('GET', `/v1/invoices?metadata.e-mail=${encodeURIComponent(email)}`, { key })
    expect((await list()).json.data).toHaveLength(1)
    await run({ type: 'email', email })
    expect((await list()).json.data).toHaveLength(0)
    const entries = await rig.database<{ after: unknown; objectId: string | null }[]>`
      select after, object_id from audit_entry where action = 'erase' order by id desc limit 1`
    expect(entries[0]?.objectId).toBeNull()
    expect(JSON.stringify(entries)).not.toContain(email)
    expect(entries[0]?.after).toMatchObject({
      by: 'email',
      rows: { invoice: 1, invoice_metadata: 3 },
    })
    expect(invoice.metadata).toBeDefined()
  })

  test('goes on where a run was cut off', async () => {
    const email = unique()
    const first = await paidInvoice(email)
    await paidInvoice(email)
    await paidInvoice(email)
    await rig.database.unsafe(`
      create sequence erased_so_far;
      create function stop_here() returns trigger language plpgsql as $$ begin
        if nextval('erased_so_far') > 1 then raise exception 'killed'; end if; return new; end $$;
      create trigger stop_here before update on invoice for each row execute function stop_here()`)
    await expect(run({ type: 'email', email }, { batch: 1 })).rejects.toThrow('killed')
    await rig.database`drop trigger stop_here on invoice`
    expect(await first.read()).toMatchObject({ metadata: {} })
    expect(await holders(email)).toContain('public.invoice')
    expect((await run({ type: 'email', email })).rows).toMatchObject({ invoice: 2 })
    expect(await holders(email)).toEqual([])
  })
})

describe('a user who signs in', () => {
  test('is erased with their account, and the log still has what they did', async () => {
    const { merchant } = await rig.newMerchant()
    const owner = await newMember(rig, 'owner', merchant.id)
    const member = await newMember(rig, 'developer', merchant.id)
    const made = await member.browser.api('POST', merchant.id, '/v1/webhooks/endpoints', {
      url: 'https://shop.example/hook',
      description: 'x',
    })
    expect(made.status).toBe(201)
    await owner.browser.api('POST', merchant.id, '/v1/invitations', {
      email: member.email,
      role: 'reader',
    })
    const before = await money()
    const { remains, rows } = await run({ type: 'email', email: member.email })
    expect(remains).toEqual([])
    expect(rows).toMatchObject({ 'auth.user': 1, 'auth.twoFactor': 1, member: 1 })
    expect(await holders(member.email)).toEqual([])
    expect(await money()).toBe(before)
    expect((await member.browser.send('GET', '/dashboard/api/me')).status).toBe(401)
    const entries = await rig.database`
      select actor_name, address, agent from audit_entry
      where merchant_id = ${merchant.id} and action = 'createWebhookEndpoint'`
    expect([...entries]).toEqual([{ actorName: 'erased', address: null, agent: null }])
    expect((await run({ type: 'email', email: member.email })).rows).toEqual({})
    expect((await owner.browser.send('GET', '/dashboard/api/me')).status).toBe(200)
  })

  test('who alone owns a merchant stays, and the command says why', async () => {
    const { merchant } = await rig.newMerchant()
    const owner = await newMember(rig, 'owner', merchant.id)
    expect(await run({ type: 'email', email: owner.email })).toMatchObject({
      rows: {},
      ownerless: [merchant.name],
    })
    expect((await findRemains(rig.database, owner.email)).length).toBeGreaterThan(0)
    const asOwner = { DATABASE_URL: rig.config.databaseUrl }
    const refused = await remit(asOwner, 'erase', '--email', owner.email)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('the only owner of')])
    const unclear = await remit(asOwner, 'erase', '--email', owner.email, '--payer', newAddress())
    expect(unclear.code).toBe(2)
  })
})

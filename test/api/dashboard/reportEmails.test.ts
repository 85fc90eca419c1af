import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDueReports } from '../../../api/dashboard/reportEmails.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { storeEmail, takeEmail } from '../../../store/events/emails.ts'
import { confirm, followChains, PAYER, pay, randomHash } from '../../support/api/ledger.ts'
import { newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { fanOut } from '../../support/api/webhookCalls.ts'
import { beginsOnOneDay } from '../../support/clock.ts'

/** Reports by mail, of real rows. */

const DAY_MS = 86_400_000

let rig: ApiRig
let merchantId: MerchantId
let person: SignedIn

beforeAll(async () => {
  rig = await openDashboardRig()
  merchantId = rig.merchant.merchant.id
  await followChains(rig)
  person = await newMember(rig, 'finance')
}, 120_000)
afterAll(() => rig.close())

const ask = (body: Readonly<Record<string, string>>, of = person) =>
  of.browser.api('POST', merchantId, '/v1/report-schedules', body)

const parts = () => ({
  database: rig.deps.database,
  registry: rig.config.registry,
  origin: 'http://localhost:3000',
})

/** The next midnight in UTC, and a little. */
function tomorrow(): Date {
  return new Date(Math.floor(Date.now() / DAY_MS + 1) * DAY_MS + 1_000)
}

const mailsTo = (email: string) => rig.database<
  { subject: string; body: string; attachment: string | null; attachmentName: string | null }[]
>`
  select subject, body, attachment, attachment_name from mail
  where recipient = ${email} and attachment_name is not null order by id`

test('a day’s transactions are sent when it is over, once, and no cell is a formula', async () => {
  await beginsOnOneDay()
  const invoice = await rig.create({ externalRef: '=1+1' })
  await pay(rig, invoice, 4_000_000n)
  await confirm(rig, invoice)
  const asked = await ask({ report: 'transactions', every: 'day', locale: 'de' })
  expect(asked.status).toBe(201)
  expect(await writeDueReports(parts(), new Date())).toBe(0)
  expect(await writeDueReports(parts(), tomorrow())).toBe(1)
  expect(await writeDueReports(parts(), tomorrow())).toBe(0)
  const [mail] = await mailsTo(person.email)
  expect(mail?.subject).toContain('Bericht von Test')
  expect(mail?.body).toContain(`/dashboard/merchants/${merchantId}/reports`)
  const day = new Date().toISOString().slice(0, 10)
  expect(mail?.attachmentName).toBe(`transactions-${day}-${day}.csv`)
  const lines = (mail?.attachment ?? '').trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toStartWith('\uFEFFtype,status,')
  expect(lines[1]).toStartWith(`payment,confirmed,${invoice.reference},'=1+1,`)
})

test('sums by day have invoices and payouts, in the language that was asked for', async () => {
  const other = await newMember(rig, 'reader', merchantId, { hasSecondFactor: false })
  await ask({ report: 'days', every: 'day', locale: 'en' }, other)
  expect(await writeDueReports(parts(), new Date(tomorrow().getTime()))).toBe(1)
  const [mail] = await mailsTo(other.email)
  expect(mail?.subject).toStartWith('Report of Test')
  const [head, line] = (mail?.attachment ?? '').split('\r\n')
  expect(head).toStartWith('\uFEFFkind,day,chain,asset,payments,receivedAmount')
  expect(line).toContain('invoices,')
  expect(line).toContain(',USDC,1,4,0,')
})

test('no one is sent a report of a merchant that they have left', async () => {
  const leaver = await newMember(rig, 'finance')
  await ask({ report: 'days', every: 'day', locale: 'en' }, leaver)
  await rig.database`
    delete from member where person_id in (
      select id from auth."user" where email = ${leaver.email})`
  await writeDueReports(parts(), new Date(tomorrow().getTime() + DAY_MS))
  expect(await mailsTo(leaver.email)).toHaveLength(0)
  const left = await rig.database`
    select from report_schedule s join auth."user" u on u.id = s.person_id
    where u.email = ${leaver.email}`
  expect(left).toHaveLength(0)
})

test('a report that fails holds up no other: why is kept, and it is tried again later', async () => {
  const [first, second] = [await newMember(rig, 'finance'), await newMember(rig, 'finance')]
  for (const each of [first, second]) {
    await ask({ report: 'days', every: 'day', locale: 'en' }, each)
  }
  await rig.database.unsafe(
    `alter table mail add constraint closed check (recipient <> '${first.email}') not valid`,
  )
  const failed: string[] = []
  const write = (now: Date) => writeDueReports(parts(), now, (id) => failed.push(id))
  const now = tomorrow()
  await write(now)
  expect(await mailsTo(second.email)).toHaveLength(1)
  const kept = () => rig.database<{ id: string; failure: string | null; attempts: number }[]>`
    select s.id, s.failure, s.attempts from report_schedule s
    join auth."user" u on u.id = s.person_id where u.email = ${first.email}`
  expect(await kept()).toMatchObject([
    { id: failed[0], failure: expect.stringContaining('"closed"'), attempts: 1 },
  ])
  await rig.database`alter table mail drop constraint closed`
  await write(now)
  expect(await mailsTo(first.email)).toHaveLength(0)
  await write(new Date(now.getTime() + 5 * 60_000))
  expect(await mailsTo(first.email)).toHaveLength(1)
  expect(await kept()).toMatchObject([{ failure: null, attempts: 0 }])
})

test('a schedule is of the user who made it, one of a kind, and ended by them alone', async () => {
  const mine = await newMember(rig, 'support')
  const first = await ask({ report: 'days', every: 'week', locale: 'en' }, mine)
  const again = await ask({ report: 'days', every: 'week', locale: 'de' }, mine)
  expect(again.json.data?.id).toBe(first.json.data?.id)
  expect(again.json.data?.locale).toBe('de')
  const path = `/v1/report-schedules/${first.json.data?.id}`
  expect((await person.browser.api('DELETE', merchantId, path)).status).toBe(404)
  expect((await mine.browser.api('DELETE', merchantId, path)).status).toBe(200)
  const listed = await mine.browser.api('GET', merchantId, '/v1/report-schedules')
  expect(Object(listed.json).data).toEqual([])
  expect((await ask({ report: 'x', every: 'day', locale: 'en' })).status).toBe(400)
})

test('held money is reported soon, once, by one email an hour, to those who want it', async () => {
  const wants = await newMember(rig, 'support')
  expect((await ask({ report: 'held', every: 'day', locale: 'en' }, wants)).status).toBe(400)
  expect((await ask({ report: 'days', every: 'event', locale: 'en' }, wants)).status).toBe(400)
  expect((await ask({ report: 'held', every: 'event', locale: 'en' }, wants)).status).toBe(201)
  const mails = () => rig.database<{ subject: string; body: string }[]>`
    select subject, body from mail where recipient = ${wants.email} order by id`
  const begun = Date.now() + 1_000
  const write = (minutes: number) =>
    writeDueReports(parts(), new Date(begun + minutes * 60_000), (_, error) => {
      throw error
    })
  const before = (await mails()).length
  await write(0)
  expect(await mails()).toHaveLength(before)

  const [late, strange] = [await rig.create(), await rig.create()]
  await rig.database`
    update invoice set closed_at = created_at + interval '1 ms' where id = ${late.id}`
  await pay(rig, late, 4_000_000n, { blockTime: new Date(Date.now() + 60_000) })
  await rig.database`
    insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount,
      kind, status, block_number, block_hash, block_time)
    values (${Bun.randomUUIDv7()}, ${strange.id}, 'base-sepolia', ${randomHash()}, -1,
      ${ZERO_ADDRESS}, ${PAYER}, 7, 'foreign', 'pending', 100, ${randomHash()}, now())`
  await confirm(rig, late)
  await confirm(rig, strange)
  await fanOut(rig)
  const types = await rig.database<{ type: string }[]>`
    select type from outbox where object_id in (${late.id}, ${strange.id})
      and type <> 'invoice.created' order by object_id, version`
  expect(types.map(({ type }) => type)).toEqual([
    'invoice.late_payment',
    'invoice.unexpected_payment',
  ])
  await write(2)
  const [mail, ...others] = (await mails()).slice(before)
  expect(others).toHaveLength(0)
  expect(mail?.subject).toContain('money needs your decision')
  expect(mail?.body).toContain(`- ${late.reference}: late payment`)
  expect(mail?.body).toContain(`- ${strange.reference}: unexpected token or network`)
  expect(mail?.body).toContain(`/dashboard/merchants/${merchantId}/recoveries`)

  const later = await rig.create()
  await rig.database`
    update invoice set closed_at = created_at + interval '1 ms' where id = ${later.id}`
  await pay(rig, later, 1n, { blockTime: new Date(Date.now() + 60_000) })
  await fanOut(rig)
  await write(30)
  expect((await mails()).slice(before)).toHaveLength(1)
  await write(63)
  const second = (await mails()).slice(before).at(1)
  expect(second?.body).toContain(later.reference)
  expect(second?.body).not.toContain(late.reference)
})

test('an email whose server takes two minutes over it is sent by no one else meanwhile', async () => {
  await rig.database`update mail set sent_at = now() where sent_at is null`
  await storeEmail(rig.database, { recipient: person.email, subject: 'Slow', body: 'Slow' })
  expect(await takeEmail(rig.database)).toMatchObject({ subject: 'Slow', attempts: 1 })
  await rig.database`update mail set due_at = due_at - interval '2 minutes' where sent_at is null`
  expect(await takeEmail(rig.database)).toBeNull()
})

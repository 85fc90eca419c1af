import { afterAll, beforeAll, expect, test } from 'bun:test'
import { removeOldEmails } from '../../../store/events/emails.ts'
import { sessionIn } from '../../support/api/checkoutCalls.ts'
import { followChains, paidInvoice, settle } from '../../support/api/ledger.ts'
import { newEmail, openDashboardRig } from '../../support/api/people.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** Receipts by email: to any address, a few for each session, and the address is soon removed. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
  await followChains(rig)
}, 120_000)
afterAll(() => rig.close())

async function sessionOf(of: ApiRig, id: string): Promise<string> {
  const { text } = await of.call('GET', `/v1/invoices/${id}`)
  return sessionIn(String(JSON.parse(text).data.checkoutUrl))
}

async function completed(of: ApiRig): Promise<string> {
  const invoice = await paidInvoice(of)
  await settle(of, invoice)
  return sessionOf(of, invoice.id)
}

/** Sends the page's form; returns the address of the page that is shown next. */
async function send(id: string, email: string, of: ApiRig = rig): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ email }).toString()
  const answer = await of.fetch(`/checkout/${id}/receipt?lang=de`, {
    method: 'POST',
    headers,
    body,
  })
  expect(answer.status).toBe(303)
  return (answer.headers.get('location') ?? '').replace(`/checkout/${id}?lang=de&`, '')
}

const emailsTo = (email: string) => rig.database<{ subject: string; body: string }[]>`
  select subject, body from mail where recipient = ${email}`

test('a receipt is sent in the language of the page, and the page says so', async () => {
  const id = await completed(rig)
  const email = newEmail()
  expect(await send(id, ` ${email.toUpperCase()} `)).toBe('receipt=sent')
  const [message] = await emailsTo(email)
  expect(message?.subject).toStartWith('Beleg ')
  expect(message?.body).toContain('Erhalten: 10,00\u00a0USDC')
  const sent = await (await rig.fetch(`/checkout/${id}?lang=de&receipt=sent`)).text()
  expect(sent).toContain('Beleg gesendet')
  expect(await send(id, 'ada@example.com\r\nbcc: eve@example.com')).toBe('problem=receipt')
  const wrong = await (await rig.fetch(`/checkout/${id}?lang=de&problem=receipt`)).text()
  expect(wrong).toContain('Geben Sie eine E-Mail-Adresse ein')
})

test('there is none before the payment is completed', async () => {
  const invoice = await rig.create()
  const id = await sessionOf(rig, invoice.id)
  const email = newEmail()
  expect(await send(id, email)).toBe('problem=again')
  expect(await emailsTo(email)).toHaveLength(0)
})

test('a session sends three in an hour, and a merchant five to a mailbox', async () => {
  const id = await completed(rig)
  for (let n = 0; n < 3; n += 1) expect(await send(id, newEmail())).toBe('receipt=sent')
  const late = newEmail()
  expect(await send(id, late)).toBe('problem=often')
  expect(await emailsTo(late)).toHaveLength(0)
  const email = newEmail()
  const ids = [await completed(rig), await completed(rig)]
  const answers: string[] = []
  for (const one of [...ids, ...ids, ...ids]) answers.push(await send(one, email))
  expect(answers.filter((answer) => answer === 'receipt=sent')).toHaveLength(5)
  expect(await emailsTo(email)).toHaveLength(5)
})

test('a payer’s address is removed an hour after the email was sent, and a day after it could not be', async () => {
  const id = await completed(rig)
  const [sent, unsent, member] = [newEmail(), newEmail(), newEmail()]
  expect(await send(id, sent)).toBe('receipt=sent')
  expect(await send(id, unsent)).toBe('receipt=sent')
  await rig.database`
    insert into mail (id, recipient, subject, body) values (gen_random_uuid(), ${member}, 'x', 'x')`
  await rig.database`update mail set sent_at = now() where recipient in (${sent}, ${member})`
  const left = async (hours: number) => {
    await rig.database`
      update mail set created_at = now() - make_interval(hours => ${hours}, mins => 1)`
    await removeOldEmails(rig.database)
    const rows = await rig.database<{ recipient: string }[]>`select recipient from mail`
    return [sent, unsent, member].map((one) => rows.some(({ recipient }) => recipient === one))
  }
  expect(await left(0)).toEqual([true, true, true])
  expect(await left(1)).toEqual([false, true, true])
  expect(await left(24)).toEqual([false, false, true])
})

test('a deployment without emails leaves it to the payer’s own program', async () => {
  const plain = await openRig()
  await followChains(plain)
  const id = await completed(plain)
  const page = await (await plain.fetch(`/checkout/${id}`)).text()
  const mail = decodeURIComponent(/mailto:[^"]+/.exec(page)?.[0] ?? '')
  expect([/Reference: \w{10}/.test(mail), page.includes('/receipt')]).toEqual([true, false])
  expect(await send(id, newEmail(), plain)).toBe('problem=again')
  await plain.close()
}, 60_000)

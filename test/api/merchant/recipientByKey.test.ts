import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Remit, RemitError } from '@remit/sdk'
import type { MerchantId } from '../../../core/base/ids.ts'
import { Browser, newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import {
  activateRecipient,
  DELAY_S,
  entries,
  mailsTo,
  PATH,
  ripen,
  tokenSentTo,
} from '../../support/api/recipients.ts'
import { type ApiRig, OTHER_TREASURY, openRig, TREASURY } from '../../support/api/rig.ts'

/** The same by a secret key: a thief can be stopped by every owner. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { RECIPIENT_DELAY_S: String(DELAY_S) } })
}, 120_000)
afterAll(() => rig.close())

interface Shop {
  readonly id: MerchantId
  readonly owner: SignedIn
  readonly publishableKey: string
  readonly remit: Remit
}

async function newShop(): Promise<Shop> {
  const { merchant, secretKey, publishableKey } = await rig.newMerchant(TREASURY)
  const owner = await newMember(rig, 'owner', merchant.id)
  return { id: merchant.id, owner, publishableKey, remit: remitOf(secretKey) }
}

function remitOf(key: string): Remit {
  return new Remit({ apiUrl: 'http://api.invalid', key, retries: 0, fetch: send })
}

async function send(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const body = method === 'GET' ? {} : { body: await request.text() }
  return rig.fetch(`${pathname}${search}`, { method, headers, ...body })
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => (error instanceof RemitError ? error.code : error),
  )

test('a change waits, every owner is notified, and then it becomes active', async () => {
  const { id, owner, remit } = await newShop()
  const ada = await newMember(rig, 'owner', id)
  const asked = await remit.recipient.change(OTHER_TREASURY)
  expect(asked).toMatchObject({ status: 'waiting', replaces: TREASURY })
  expect(asked.requestedBy).toStartWith('secret key …')
  const delay = Date.parse(asked.inForceAt ?? '') - Date.parse(asked.requestedAt)
  expect(Math.round(delay / 1_000)).toBe(DELAY_S)
  for (const { email } of [owner, ada]) {
    const [mail] = await mailsTo(rig, email)
    expect(mail?.body).toContain('secret key …')
    expect(mail?.body).toContain(OTHER_TREASURY)
  }
  expect(await refusal(remit.recipient.change(OTHER_TREASURY))).toBe('recipient_change_open')
  expect(await activateRecipient(rig, asked.id)).toBeNull()
  await ripen(rig, asked.id)
  expect(await activateRecipient(rig, asked.id)).toBe(0)
  expect(await remit.recipient.get()).toMatchObject({
    recipient: OTHER_TREASURY,
    changes: [{ status: 'in_force' }],
  })
  expect(await entries(rig, id)).toMatchObject([
    { action: 'changeRecipient', actor: 'key', status: 201 },
    { action: 'changeRecipient', actor: 'key', status: 409 },
  ])
})

test('the link in an owner’s email stops a change requested with a stolen key before it is active', async () => {
  const { owner, remit } = await newShop()
  const { id } = await remit.recipient.change(OTHER_TREASURY)
  const token = await tokenSentTo(rig, owner.email)
  const path = '/dashboard/api/recipient-changes/cancel'
  expect((await new Browser(rig).send('POST', path, { token })).status).toBe(200)
  await ripen(rig, id)
  expect(await activateRecipient(rig, id)).toBeNull()
  expect(await remit.recipient.get()).toMatchObject({
    recipient: TREASURY,
    changes: [{ status: 'cancelled' }],
  })
})

test('a key can cancel changes of its own merchant only', async () => {
  const shop = await newShop()
  const thief = await newShop()
  const { id } = await shop.remit.recipient.change(OTHER_TREASURY)
  expect(await refusal(thief.remit.recipient.cancel(id))).toBe('recipient_change_not_found')
  expect(await thief.remit.recipient.get()).toMatchObject({ changes: [] })
  expect(await shop.remit.recipient.cancel(id)).toMatchObject({ status: 'cancelled' })
  expect((await mailsTo(rig, shop.owner.email))[0]?.subject).toContain('cancelled')
  expect(await refusal(shop.remit.recipient.cancel(id))).toBe('recipient_change_not_found')
})

test('keys and users can each request ten changes a day, so that owners’ emails are delivered', async () => {
  const { id, owner, remit } = await newShop()
  const ada = await newMember(rig, 'owner', id)
  for (let i = 0; i < 10; i += 1) {
    const { id: change } = await remit.recipient.change(OTHER_TREASURY)
    await remit.recipient.cancel(change)
  }
  expect(await refusal(remit.recipient.change(OTHER_TREASURY))).toBe('too_many_requests')
  const request = (who: SignedIn) => who.browser.api('POST', id, PATH, { address: OTHER_TREASURY })
  for (let i = 0; i < 10; i += 1) {
    const { status, json } = await request(i % 2 === 0 ? owner : ada)
    expect(status).toBe(201)
    await owner.browser.api('DELETE', id, `${PATH}/changes/${json.data?.id}`)
  }
  const mails = async () => (await mailsTo(rig, ada.email)).length
  const before = await mails()
  for (const who of [owner, ada]) {
    const { status, json, headers } = await request(who)
    expect([status, json.code]).toEqual([429, 'too_many_requests'])
    expect(JSON.stringify(json)).toContain('10 times within 24 hours')
    const wait = Number(headers.get('retry-after'))
    expect(wait > 86_000 && wait <= 86_400).toBe(true)
  }
  expect(await mails()).toBe(before)
  await rig.database`
    update recipient_change set created_at = created_at - interval '1 day' where merchant_id = ${id}`
  expect((await request(owner)).status).toBe(201)
})

test('a publishable key reads and changes nothing', async () => {
  const { publishableKey } = await newShop()
  const remit = remitOf(publishableKey)
  expect(await refusal(remit.recipient.get())).toBe('unauthorized')
  expect(await refusal(remit.recipient.change(OTHER_TREASURY))).toBe('unauthorized')
  expect((await rig.call('GET', PATH, { key: null })).json.code).toBe('unauthorized')
})

test('a key changes nothing while no owner could be notified', async () => {
  const { merchant, secretKey } = await rig.newMerchant(TREASURY)
  await newMember(rig, 'finance', merchant.id)
  expect(await refusal(remitOf(secretKey).recipient.change(OTHER_TREASURY))).toBe('owner_missing')
  expect(await remitOf(secretKey).recipient.get()).toMatchObject({
    recipient: TREASURY,
    changes: [],
  })
  const bare = await openRig()
  const body = { address: OTHER_TREASURY }
  const answer = await bare.call('POST', PATH, { body })
  await bare.close()
  expect(answer).toMatchObject({ status: 409, json: { code: 'owner_missing' } })
})

test('where changes need a second person, those of a key need two', async () => {
  const { id, owner, remit } = await newShop()
  await newMember(rig, 'finance', id)
  const rules = { recipient: true }
  const set = await owner.browser.api('POST', id, '/v1/settings/approvals', rules)
  expect(set.json.data).toEqual({ isInForce: true })
  const asked = await remit.recipient.change(OTHER_TREASURY)
  expect(asked).toMatchObject({ status: 'needs_approval', inForceAt: null })
  const [request] = await rig.database`
    select needed, state from approval_request where change_id = ${asked.id}`
  expect(request).toEqual({ needed: 2, state: 'open' })
})

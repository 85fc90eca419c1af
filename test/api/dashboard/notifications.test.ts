import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import { type ApiRig, OTHER_TREASURY } from '../../support/api/rig.ts'

/** Which emails members want of a merchant: their own choice, of each merchant alone. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

const countTo = async ({ email }: SignedIn, subject: string) => {
  const mails = await rig.database`
    select from mail where recipient = ${email} and subject like ${subject}`
  return mails.length
}

test('an approver who wants no emails about requests gets none, and every other one does', async () => {
  const { id } = rig.merchant.merchant
  const [owner, quiet, other] = [
    await newMember(rig, 'owner'),
    await newMember(rig, 'finance'),
    await newMember(rig, 'finance'),
  ]
  const read = async (who: SignedIn) =>
    (await who.browser.api('GET', id, '/v1/notifications')).json.data
  expect(await read(quiet)).toEqual({ approvals: true })
  const changed = await quiet.browser.api('POST', id, '/v1/notifications', { approvals: false })
  expect([changed.status, changed.json.data]).toEqual([200, { approvals: false }])
  expect([await read(quiet), await read(other)]).toEqual([
    { approvals: false },
    { approvals: true },
  ])

  await owner.browser.api('POST', id, '/v1/settings/approvals', { recipient: true })
  await owner.browser.api('POST', id, '/v1/settings/recipient', { address: OTHER_TREASURY })
  const asked = '%needs your approval'
  expect([await countTo(quiet, asked), await countTo(other, asked)]).toEqual([0, 1])
  await quiet.browser.api('POST', id, '/v1/notifications', { approvals: true })
  const key = await rig.call('POST', '/v1/settings/recipient', {
    body: { address: OTHER_TREASURY },
  })
  expect([key.status, await countTo(quiet, asked)]).toEqual([
    expect.any(Number),
    expect.any(Number),
  ])
})

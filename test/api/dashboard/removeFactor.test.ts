import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newMember, openDashboardRig, PASSWORD, type SignedIn } from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** Taking one's own authenticator away. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

const remove = ({ browser }: SignedIn, password = PASSWORD) =>
  browser.auth('/two-factor/disable', { password })

async function hasFactor({ browser }: SignedIn): Promise<unknown> {
  const { json } = await browser.send('GET', '/dashboard/api/me')
  return Object(json.data).person.hasSecondFactor
}

const idOf = ({ email }: SignedIn) =>
  rig.database`select id from auth."user" where email = ${email}`

test('is refused where a role asks for it, at any of the merchants', async () => {
  for (const role of ['owner', 'finance', 'developer'] as const) {
    const person = await newMember(rig, role)
    expect((await remove(person)).json.code).toBe('second_factor_required')
    expect(await hasFactor(person)).toBe(true)
  }
  const reader = await newMember(rig, 'reader')
  const { id } = (await rig.newMerchant()).merchant
  await rig.database`
    insert into member (merchant_id, person_id, role) select ${id}, id, 'finance' from auth."user"
    where email = ${reader.email}`
  expect((await remove(reader)).json.code).toBe('second_factor_required')
})

test('is refused to operators', async () => {
  const person = await newMember(rig, 'reader')
  await rig.database`insert into operator (person_id) ${idOf(person)}`
  expect((await remove(person)).json.code).toBe('second_factor_required')
  await rig.database`delete from operator where person_id in (${idOf(person)})`
})

test('is for others, soon after signing in and by their password', async () => {
  const person = await newMember(rig, 'support')
  const sessions = (age: string) => rig.database`
    update auth.session set "signedInAt" = now() - ${age}::interval where "userId" in (${idOf(person)})`
  await sessions('11 minutes')
  expect((await remove(person)).json.code).toBe('fresh_sign_in_required')
  await sessions('0 minutes')
  expect((await remove(person, 'not the password')).json.code).toBe('INVALID_PASSWORD')
  expect(await hasFactor(person)).toBe(true)
  expect((await remove(person)).status).toBe(200)
  expect(await hasFactor(person)).toBe(false)
})

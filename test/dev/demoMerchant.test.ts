import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoUser } from '../../dev/stack/demoUser.ts'
import { openHome } from '../../dev/stack/home.ts'
import { developmentKeys } from '../../dev/stack/keys.ts'
import { demoMerchant } from '../../dev/stack/merchant.ts'
import { openKeyLookup, rotateKey } from '../../store/access/apiKeys.ts'
import { listMembers } from '../../store/access/members.ts'
import { listMerchants } from '../../store/access/merchants.ts'
import { type ApiRig, openRig } from '../support/api/rig.ts'

let rig: ApiRig
let folder: string
beforeAll(async () => {
  rig = await openRig()
  folder = mkdtempSync(join(tmpdir(), 'remit-demo-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await rig.close()
})

test('a restart shows the demo merchant whose key was rotated, with a key that is valid', async () => {
  const home = openHome(folder, undefined)
  const keys = developmentKeys(home, ['base-sepolia'])
  const first = await demoMerchant(home, keys, rig.config)
  expect(await demoMerchant(home, keys, rig.config)).toEqual(first)
  await rotateKey(rig.database, 'sandbox', first.merchantId, 'secret')
  const second = await demoMerchant(home, keys, rig.config)
  expect(second).toEqual({ ...first, secretKey: expect.stringMatching(/^sk_test_/) })
  expect(second.secretKey).not.toBe(first.secretKey)
  const owner = await openKeyLookup(rig.database, 'sandbox').find(second.secretKey)
  expect(owner?.merchantId).toBe(first.merchantId)
  expect(await demoMerchant(home, keys, rig.config)).toEqual(second)
  const demos = (await listMerchants(rig.database)).filter(({ name }) => name === 'Demo')
  expect(demos).toHaveLength(1)
})

test('a restart shows the demo user, and no password that was changed', async () => {
  const home = openHome(folder, undefined)
  const { merchantId } = await demoMerchant(home, developmentKeys(home, []), rig.config)
  const first = await demoUser(home, rig.config, merchantId)
  expect(await demoUser(home, rig.config, merchantId)).toEqual(first)
  expect(await listMembers(rig.database, merchantId)).toMatchObject([
    { email: first.email, role: 'owner', hasSecondFactor: false },
  ])
  const other = (await rig.newMerchant()).merchant.id
  await demoUser(home, rig.config, other)
  expect(await listMembers(rig.database, other)).toHaveLength(1)
  await rig.database`update auth.account set password = null`
  expect(await demoUser(home, rig.config, merchantId)).toEqual({ ...first, password: null })
})

test('there is no demo user where money is real', async () => {
  const config = { ...rig.config, environment: 'live' } as const
  const home = openHome(folder, undefined)
  const made = demoUser(home, config, rig.merchant.merchant.id)
  await expect(made).rejects.toThrow('in the sandbox only')
})

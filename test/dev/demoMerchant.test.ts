import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHome } from '../../dev/stack/home.ts'
import { developmentKeys } from '../../dev/stack/keys.ts'
import { demoMerchant } from '../../dev/stack/merchant.ts'
import { openKeyLookup, rotateKey } from '../../store/merchant/apiKeys.ts'
import { listMerchants } from '../../store/merchant/merchants.ts'
import { type ApiRig, openRig } from '../api/rig.ts'

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
  const owner = await openKeyLookup(rig.database, 'sandbox')(second.secretKey)
  expect(owner?.merchantId).toBe(first.merchantId)
  expect(await demoMerchant(home, keys, rig.config)).toEqual(second)
  const demos = (await listMerchants(rig.database)).filter(({ name }) => name === 'Demo')
  expect(demos).toHaveLength(1)
})

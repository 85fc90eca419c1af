import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, chainNamed, tokenNamed } from '../../../core/chain/registry.ts'
import { registerForwarder } from '../../../store/hub/forwarders.ts'
import { HUB } from '../../support/api/rig.ts'
import { newHash } from '../../support/store/database.ts'
import { aClaim, confirmed } from '../../support/store/x402.ts'
import { inspect, openStage, type Stage } from '../../support/web/dashboard/stage.ts'

/** A paid request is refunded from the dashboard, in a real browser. */

const PAYER = lowerCaseAddress('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 120_000)
afterAll(() => stage?.close())

test('a payment that the forwarder holds is refunded by a button that says how much and to whom', async () => {
  const { rig } = stage.site
  const { id } = rig.merchant.merchant
  const hub = lowerCaseAddress(HUB)
  const forwarder = await rig.database.begin((sql) => registerForwarder(sql, hub, id))
  const usdc = tokenNamed(chainNamed('base-sepolia', ALL_CHAINS), 'USDC')
  const terms = { asset: usdc.address, from: PAYER, value: 30_000n, nonce: newHash() }
  const payment = await confirmed(rig.database, aClaim({ id, hub, forwarder }, terms))
  const { page, complaints, leave } = await stage.enter(await stage.member('finance'))
  await page.goto(stage.at('x402/payments'))
  await page.getByRole('button', { name: 'Refund…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Refund the payment of 0x15d3…6a65' }).waitFor()
  await inspect(page)
  await dialog.getByLabel('Amount (USDC)').fill('0.01')
  await dialog.getByRole('button', { name: /^Refund 0.01 USDC to 0x15d3…6a65$/i }).click()
  await page.getByText('Refunded: 0.01 USDC').waitFor()
  const rows = await rig.database`
    select recipient, amount, status from refund where x402_payment_id = ${payment}`
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { recipient: PAYER, amount: 10_000n, status: 'open' },
  ])
  await inspect(page)
  await leave()
  const reader = await stage.enter(await stage.member('reader'))
  await reader.page.goto(stage.at('x402/payments'))
  await reader.page.getByText('Refunded: 0.01 USDC').waitFor()
  expect(await reader.page.getByRole('button', { name: 'Refund…' }).count()).toBe(0)
  await reader.leave()
  expect(complaints).toEqual([])
}, 120_000)

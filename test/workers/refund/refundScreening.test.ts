import { afterAll, beforeAll, expect, test } from 'bun:test'
import { decideScreening, listScreenings } from '../../../store/screening/screenings.ts'
import { newAddress, type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'
import { startScreeningServer } from '../../support/servers/screeningServer.ts'

/** Where payers are screened, nothing goes back to one who is not cleared. */

const service = startScreeningServer()
let rig: OwnRefundRig
beforeAll(async () => {
  rig = await openRefundRig(service.variables)
}, 120_000)
afterAll(async () => {
  service.stop()
  await rig?.close()
})

test('a refund waits unsigned until its receiver is let pass, and is then paid once', async () => {
  const invoice = await rig.invoice()
  await rig.pay(invoice, 4_000_000n)
  const address = newAddress()
  const result = await rig.ask(invoice, '1', { address })
  expect(result.ok).toBe(true)
  await rig.turn(3)
  expect(await rig.refundOf(invoice)).toMatchObject({ status: 'open', deadline: null })
  expect(await listScreenings(rig.database, null, 10)).toMatchObject([{ address, verdict: null }])
  await decideScreening(rig.database, address, 'hold', null)
  await rig.turn(2)
  expect(await rig.chain.balance(address)).toBe(0n)
  await decideScreening(rig.database, address, 'allow', null)
  await rig.turn(4)
  expect(await rig.chain.balance(address)).toBe(1_000_000n)
}, 60_000)

import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { type Address, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { requestHubRead } from '../../../store/hub/hubStates.ts'
import { HubWatch } from '../../../workers/hub/watch.ts'
import { send } from '../../support/hub/governance.ts'
import { type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'

/** Refunds while no one signs them, as after a theft of the key. */

let rig: OwnRefundRig
let watch: HubWatch

beforeAll(async () => {
  rig = await openRefundRig()
  watch = new HubWatch({ ...rig.projection, database: rig.database }, pino({ level: 'silent' }))
}, 120_000)
afterAll(() => rig?.close())

/** The owner appoints someone, and the chain's leader sees it. */
async function appoint(account: Address): Promise<number> {
  const { chain, database } = rig
  await send(chain, chain.ownerKey, { functionName: 'setRefundSigner', args: [account] })
  await rig.follow()
  await requestHubRead(database, chain.networkId)
  return watch.turn(await readHead(chain.client))
}

async function itemOfRefund() {
  const [row] = await rig.database`
    select state, hub_wait, result from work_item where kind = 'refund'`
  return row
}

test('a refund waits while its signer is dismissed, and is paid once the signer is back', async () => {
  const invoice = await rig.invoice()
  await rig.pay(invoice, 5_000_000n)
  await appoint(ZERO_ADDRESS)
  await rig.ask(invoice, '5')
  await rig.turn(6)
  expect(await itemOfRefund()).toMatchObject({
    state: 'queued',
    hubWait: 'stopped',
    result: { waits: expect.stringContaining('the hub does not know 0x') },
  })
  expect(await rig.refundOf(invoice)).toMatchObject({ status: 'open', deadline: null })
  const sent = await rig.database`select id from relayer_tx where kind = 'refund'`
  expect(sent).toHaveLength(0)

  expect(await appoint(addressOf(rig.chain.roles.refundSigner))).toBe(1)
  for (let turn = 0; turn < 20; turn += 1) {
    if ((await rig.refundOf(invoice)).status === 'confirmed') return
    await rig.turn()
  }
  throw new Error('the refund was not paid')
}, 120_000)

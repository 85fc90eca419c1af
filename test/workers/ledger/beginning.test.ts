import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { asMerchantId } from '../../../core/base/ids.ts'
import { isHubNamed } from '../../../store/hub/forwarders.ts'
import { createLedger } from '../../../workers/ledger/turn.ts'
import { ledgerRig } from '../../support/invoice/ledger.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { newAddress } from '../../support/store/database.ts'
import { storeInvoice } from '../../support/store/invoice.ts'

/** What a chain's leader does once, before its first pass. */

const SILENT = pino({ level: 'silent' })
let shared: RelayerRig

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
}, 120_000)
afterAll(() => shared?.close())

test('names its hub, announces treasuries that were replaced, and looks at what was held for being little', async () => {
  const database = await shared.ownDatabase()
  const { chain } = shared
  const { projection, merchantId } = await ledgerRig(database, chain)
  const [replaced, treasury] = [asMerchantId(Bun.randomUUIDv7()), newAddress()]
  await database`
    insert into merchant (id, name, recipient, config_version)
    values (${replaced}, 'Moved', ${treasury}, 2)`
  const { id } = await storeInvoice(database, merchantId, {
    status: 'paid',
    settlementState: 'below_gas_threshold',
    chains: [chain.networkId],
  })
  const heads = { newest: () => readHead(projection.client.rpc) }
  const { turn } = createLedger(projection, heads, SILENT)
  const queued = () => database`
    select payload->>'hub' as hub, payload->>'merchantId' as merchant_id,
      payload->>'treasury' as treasury, payload->>'version' as version
    from work_item where kind = 'configure' and state = 'queued'`
  const entry = { hub: chain.hub, merchantId: replaced, treasury, version: '2' }

  await turn()
  expect(await isHubNamed(database, chain.hub)).toBe(true)
  expect([...(await queued())]).toEqual([entry])
  const [looked] = await database`select settlement_state from invoice where id = ${id}`
  expect(looked?.settlementState).not.toBe('below_gas_threshold')

  // Once: later passes announce nothing, and leave alone what is held by the same bounds.
  await database`delete from work_item`
  await database`
    update invoice set settlement_state = 'below_gas_threshold' where id = ${id}`
  await turn()
  expect([...(await queued())]).toEqual([])
  const [left] = await database`select settlement_state from invoice where id = ${id}`
  expect(left?.settlementState).toBe('below_gas_threshold')
}, 60_000)

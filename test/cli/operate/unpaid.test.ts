import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openChain } from '../../../chain/rpc/client.ts'
import { encodeSettle } from '../../../chain/x402/settlement.ts'
import { proveUnpaid } from '../../../chain/x402/unpaid.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { parseSignature } from '../../../core/x402/signature.ts'
import type { Database } from '../../../store/database/database.ts'
import { readSettles } from '../../../store/x402/work.ts'
import { openRelayer, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { dueSettles, newForwarder } from '../../support/relayer/settles.ts'
import { transact } from '../../support/relayer/transactions.ts'
import { workerConfig } from '../../support/servers/chain.ts'
import type { SignedAuthorization } from '../../support/x402/authorizations.ts'

/** What proves that a payment was not made, when the token's logs don't show for what it was used. */

let rig: RelayerRig

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 2 })
}, 120_000)

afterAll(() => rig?.close())

async function itemIds(database: Database): Promise<bigint[]> {
  const rows = await database<{ id: bigint }[]>`select id from work_item where kind = 'x402'`
  return rows.map(({ id }) => id)
}

test('a forwarder that was paid out in the same block proves nothing by its balance', async () => {
  const { chain } = rig
  const database = await rig.ownDatabase()
  const relayer = openRelayer(database, chain, { key: rig.ownKey() })
  const sender = rig.ownKey()
  const merchant = await newForwarder(database, chain)
  await step(chain, relayer, 5)
  const due = await dueSettles(database, chain, merchant, 2)
  const payAndPayOut = async ({ authorization, signature: bytes }: SignedAuthorization) => {
    const { merchantId } = merchant
    const signature = parseSignature(bytes)
    if (signature === null) throw new Error('it is not signed')
    const items = [{ authorization, signature }]
    const data = encodeSettle(chain.usdc.address, items, [{ merchantId, version: 1 }], USUAL_GAS)
    const { status, transactionHash } = await transact(chain, sender, chain.hub, data)
    expect(status).toBe('success')
    return transactionHash
  }
  const [first, last] = due
  const [row] = (await readSettles(database, await itemIds(database))).filter(
    ({ authorization }) => authorization.from === last?.authorization.from,
  )
  if (first === undefined || last === undefined || row === undefined) throw new Error('none is due')
  // The first payout leaves a unit behind, and later ones the same.
  await payAndPayOut(first)
  const transactionHash = await payAndPayOut(last)
  expect(await chain.balance(merchant.forwarder)).toBe(1n)
  await chain.mine(3)
  // Of a token that tells of a transfer otherwise, the log after the use is another one.
  const receipt = Object(await chain.node.rpc('eth_getTransactionReceipt', [transactionHash]))
  const logs = receipt.logs.map((log: { logIndex: string }) => {
    return { ...log, logIndex: `0x${(2 * Number(log.logIndex)).toString(16)}` }
  })
  rig.node.rule(({ method, params }) => {
    const isOfBlock = method === 'eth_getLogs' && Object(params[0]).blockHash === receipt.blockHash
    return isOfBlock ? { type: 'result', result: logs } : undefined
  })
  const { chain: active } = workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: rig.node.url }))
  const proof = await proveUnpaid(openChain(active), row)
  expect(proof).toMatchObject({ isUnpaid: false })
  expect(proof.isUnpaid ? '' : proof.why).toContain('was paid out in that block')
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PublicClient } from 'viem'
import { readChannel } from '../../../chain/channels/read.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import { transferGas } from '../../../chain/tokens/transferGas.ts'
import { dataGasOf, dataGasPerByte } from '../../../chain/transactions/arbitrum.ts'
import { readFacts } from '../../../chain/x402/authorizationFacts.ts'
import { readPermitFacts } from '../../../chain/x402/permitFacts.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { PERMIT2 } from '../../../core/x402/permitContracts.ts'
import { placeArbitrum } from '../../support/servers/arbitrum.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { authorizePaid, factsQuery, randomAddress } from '../../support/x402/authorizations.ts'

/** What is Arbitrum's own, on a chain with its id and stand-ins for its system contracts. */

const BLOCK = 300_000_000
let chain: HubChain
let client: PublicClient

beforeAll(async () => {
  chain = await startHubChain({ networkId: 'arbitrum-sepolia' })
  client = openChain(workerConfig(chain.variables()).chain).rpc
  await placeArbitrum(chain.node, { blockNumber: BLOCK, estimatedForData: 20_000 })
}, 60_000)

afterAll(() => chain?.node.stop())

test('what is read of payments and channels is dated by the number that nodes know', async () => {
  const payment = await authorizePaid(chain, { to: randomAddress(), value: 5n }, 9n)
  const [facts] = await readFacts(client, [factsQuery(chain, payment)])
  expect(facts).toMatchObject({ blockNumber: BigInt(BLOCK), balance: 9n })
  const token = chain.usdc.address
  const [payer, payee] = [randomAddress(), randomAddress()]
  const [permit] = await readPermitFacts(client, [
    {
      ...{ token, payer, payee, spender: PERMIT2, nonce: 1n },
      ...{ digest: `0x${'11'.repeat(32)}`, signature: '0x', walletGas: 0n },
    },
  ])
  expect(permit?.blockNumber).toBe(BigInt(BLOCK))
  const query = { receiver: payee, token, channelId: null, payer, calldata: null }
  expect((await readChannel(client, query)).block).toBe(BigInt(BLOCK))
})

test('a transaction needs gas for its data, at the price of the moment', async () => {
  // 16 units a byte at a gwei each, twice; the base fee is a hundredth of a gwei.
  const perByte = await dataGasPerByte(client, 10_000_000n)
  expect(perByte).toBe(3_200n)
  expect(dataGasOf(perByte, `0x${'00'.repeat(1_000)}`)).toBe(3_200n * 1_512n)
  expect(await dataGasPerByte(chain.client, 10_000_000n)).toBe(0n)
  expect(dataGasOf(0n, `0x${'00'.repeat(1_000)}`)).toBe(0n)
})

test('what a transfer costs is told without its data', async () => {
  const from = lowerCaseAddress(randomAddress())
  await chain.mint([{ to: from, amount: 10n }])
  const outflow = { token: chain.usdc.address, from, amount: 10n }
  const [own, all] = await Promise.all([
    transferGas(client, outflow),
    transferGas(chain.client, outflow),
  ])
  expect((all ?? 0n) - (own ?? 0n)).toBe(20_000n)
})

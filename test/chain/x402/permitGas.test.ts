import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { encodePermits } from '../../../chain/x402/permitCalls.ts'
import { settledPermits } from '../../../chain/x402/permitUse.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { transact } from '../../support/relayer/transactions.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { approvePermit2 } from '../../support/x402/permitShops.ts'
import { signPermit } from '../../support/x402/permits.ts'

/** What `upto` payments cost through the hub and what local chains have for the proxy and Permit2. */

const ITEMS = 20
const MOST = 65_000n

let chain: HubChain

beforeAll(async () => {
  chain = await startHubChain({ mining: 'automine' })
}, 60_000)

afterAll(() => chain?.node.stop())

test(`twenty upto payments of as many new payers cost at most ${MOST} gas each`, async () => {
  const payers = Array.from({ length: ITEMS }, () => privateKeyToAccount(generatePrivateKey()))
  await chain.mint(payers.map(({ address }) => ({ to: address, amount: 1_000_000n })))
  const payTo = addressOf(generatePrivateKey())
  // Who is paid has money of this token by then, as all have but for the first payment.
  await chain.mint([{ to: payTo, amount: 1n }])
  for (const payer of payers) await approvePermit2(chain, payer)
  const { timestamp } = await chain.client.getBlock()
  const [nonce, maximum, deadline] = [7n, 20_000n, timestamp + 3_600n]
  const items = await Promise.all(
    payers.map(async (payer) => {
      const terms = { scheme: 'upto', payTo, maximum, nonce, deadline } as const
      const { signature } = await signPermit(chain, payer, terms)
      const from = lowerCaseAddress(payer.address)
      const authorization = {
        ...{ from, to: payTo, value: maximum, validAfter: 0n },
        ...{ validBefore: deadline + 1n, nonce: '0x' as const },
      }
      const token = chain.usdc.address
      const others = { nonce, signature, isWallet: false, approval: null }
      return { token, authorization, amount: 1_858n, ...others }
    }),
  )
  const [relayer] = chain.relayerKeys
  if (relayer === undefined) throw new Error('the chain has no relayer')
  const data = encodePermits('upto', items, 550_000n)
  const receipt = await transact(chain, relayer, chain.hub, data, { gas: 14_000_000n })
  expect(settledPermits(chain.hub, receipt.logs).length).toBe(ITEMS)
  expect(await chain.balance(payTo)).toBe(1n + 1_858n * BigInt(ITEMS))
  const each = receipt.gasUsed / BigInt(ITEMS)
  console.log(`upto: ${each} gas an item of ${ITEMS}`)
  expect(each).toBeLessThanOrEqual(MOST)
}, 120_000)

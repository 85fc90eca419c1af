import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { remit } from '../../support/cli/run.ts'
import { type PooledChain, type PooledStack, startPooledStack } from '../../support/pools/stack.ts'
import type { HubChain } from '../../support/servers/chain.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { play, RARE_METHODS } from '../../support/servers/provider.ts'
import { randomHex, signAuthorization } from '../../support/x402/authorizations.ts'
import { v2Body } from '../../support/x402/requests.ts'
import { untilAtRest } from '../../support/x402/truth.ts'

/**
 * Invoices and paid requests on two chains, by way of providers as operators have them: half of the
 * nodes of each pool are three blocks behind, some requests fail, and only so many calls a second are
 * taken. The full count is run with POOL_INVOICES=200 POOL_PAYMENTS=500.
 */

const INVOICES = Number(process.env.POOL_INVOICES ?? 20)
const PAYMENTS = Number(process.env.POOL_PAYMENTS ?? 50)
const BLOCK_MS = 1_000
/** How many invoices and payments begin within a second, on both chains together. */
const PER_SECOND = 8
/** What HubChain's variables say. */
const CONFIRMATIONS = 2
const PRICE = 10_000n
const FUNDS = 100_000_000n
const AMOUNT = 1_250_000n
const DAY_S = 86_400n

let stack: PooledStack

beforeAll(async () => {
  stack = await startPooledStack(BLOCK_MS)
}, 180_000)

afterAll(() => stack?.close(), 60_000)

test(`${INVOICES} invoices and ${PAYMENTS} paid requests are right to the unit, and soon`, async () => {
  const payers = stack.chains.map(() => privateKeyToAccount(generatePrivateKey()))
  for (const [i, { chain }] of stack.chains.entries()) {
    await chain.mint([{ to: payers[i]?.address ?? '0x', amount: FUNDS }])
  }
  // Payers have had their money for a while: for longer than nodes are behind.
  await Bun.sleep(5 * BLOCK_MS)
  for (const [i, { provider }] of stack.chains.entries()) {
    play(provider, {
      seed: i + 1,
      pool: { nodes: 4, lagging: 2, blocks: 3 },
      unavailable: 0.03,
      callsPerSecond: 50,
      missing: RARE_METHODS,
      logRange: i === 0 ? { most: 500, words: 'alchemy' } : { most: 10, words: 'alchemyFree' },
      logResults: 1_000,
      latencyMs: 20,
    })
  }
  const begun = performance.now()
  const senders = stack.chains.map(({ chain }) => openSender(chain))
  const turns = Array.from({ length: INVOICES + PAYMENTS }, (_, i) => i)
  const took: number[] = []
  const answered: number[] = []
  await Promise.all(
    turns.map(async (i) => {
      await Bun.sleep((i / PER_SECOND) * 1_000 - (performance.now() - begun))
      const at = i % 2
      const [one, payer, send] = [stack.chains[at], payers[at], senders[at]]
      if (!one || !payer || !send) throw new Error('there is no such chain')
      // Invoices and payments begin evenly among each other.
      const isInvoice =
        Math.floor(((i + 1) * INVOICES) / turns.length) > Math.floor((i * INVOICES) / turns.length)
      if (isInvoice) took.push(await payInvoice(one, send))
      else answered.push(await payRequest(one, payer))
    }),
  )
  await untilAtRest(stack.database, 60_000)
  for (const { provider } of stack.chains) play(provider)
  report('blocks until an invoice was completed', took)
  report('blocks until a paid request was answered', answered)
  // Ponder has warnings of its own about requests that fail.
  const unexpected = stack
    .logged()
    .filter(
      ({ process, level, msg }) => !(process === 'indexer' && level === 40) && !isPassing(msg),
    )
  console.log(tally(stack.logged().map(({ process, msg }) => `${process}: ${msg}`)))

  expect(took).toHaveLength(INVOICES)
  expect(answered).toHaveLength(PAYMENTS)
  expect(unexpected).toEqual([])
  const keys = await stack.database<{ status: string }[]>`select distinct status from relayer_key`
  expect(keys.map(({ status }) => status)).toEqual(['active'])
  await expectToTheUnit()
  expect(median(took)).toBeLessThanOrEqual(CONFIRMATIONS + 6)
  expect(Math.max(...took)).toBeLessThanOrEqual(CONFIRMATIONS + 30)
}, 1_800_000)

/** Creates an invoice, pays it, and returns the blocks from its payment's block to its completion. */
async function payInvoice({ chain }: PooledChain, send: Send): Promise<number> {
  const { data } = await stack.call('/v1/invoices', { tokenSymbol: 'USDC', amountExpected: '1.25' })
  const { id, addresses } = Object(data)
  const hash = await send(lowerCaseAddress(addresses[0].address), AMOUNT)
  const receipt = await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 100 })
  await eventually(
    () => stack.database`select from invoice where id = ${id} and status = 'completed'`,
    (rows) => rows.length === 1,
    120_000,
  )
  return Number((await chain.client.getBlockNumber()) - receipt.blockNumber)
}

/** Settles an authorization, and returns the blocks that passed until the answer. */
async function payRequest(
  { chain, requirements }: PooledChain,
  payer: PrivateKeyAccount,
): Promise<number> {
  const { number, timestamp } = await chain.client.getBlock()
  const authorization = {
    from: lowerCaseAddress(payer.address),
    to: lowerCaseAddress(String(requirements.payTo)),
    value: PRICE,
    validAfter: 0n,
    validBefore: timestamp + DAY_S,
    nonce: randomHex(32),
  }
  const signature = await signAuthorization(chain, payer, authorization)
  const body = v2Body(requirements, authorization, signature)
  for (let calls = 1; ; calls += 1) {
    const answer = await stack.call('/v1/x402/settle', body)
    if (answer.success === true) return Number((await chain.client.getBlockNumber()) - number)
    // The node may not have answered at all; the party that means to pay asks again, as stock clients do.
    const mayTryAgain = ['settlement_pending', 'unexpected_settle_error']
    if (calls === 20 || !mayTryAgain.includes(String(answer.errorReason))) {
      throw new Error(`the payment was refused: ${JSON.stringify(answer)}`)
    }
    await Bun.sleep(500)
  }
}

type Send = (to: Address, amount: bigint) => Promise<Hex>

/** Pays by the token's issuer, which mints: each payment is a transaction of its own. */
function openSender({ node, client, usdc, ownerKey }: HubChain): Send {
  const owner = privateKeyToAccount(ownerKey)
  let next: Promise<number> = client.getTransactionCount({ address: owner.address })
  return async (to, amount) => {
    const current = next
    next = current.then((nonce) => nonce + 1)
    const raw = await owner.signTransaction({
      type: 'eip1559',
      chainId: node.chainId,
      nonce: await current,
      to: usdc.address,
      data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [to, amount] }),
      gas: 120_000n,
      maxFeePerGas: 20_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
    return client.request({ method: 'eth_sendRawTransaction', params: [raw] })
  }
}

/** Where the money is, and what the books of the ledger and both chains say about it. */
async function expectToTheUnit(): Promise<void> {
  const [sums] = await stack.database<{ invoices: number; payments: number; fees: string }[]>`
    select (select count(*)::integer from invoice where status = 'completed') as invoices,
      (select count(*)::integer from x402_payment where status = 'settled') as payments,
      (select coalesce(sum(fee), 0) from settlement where status = 'confirmed')
        + (select coalesce(sum(fee), 0) from x402_distribution) as fees`
  expect(sums).toMatchObject({ invoices: INVOICES, payments: PAYMENTS })
  let [held, collected] = [0n, 0n]
  for (const { chain, requirements } of stack.chains) {
    held += await chain.balance(stack.merchant.recipient)
    held += await chain.balance(lowerCaseAddress(String(requirements.payTo)))
    collected += await chain.balance(chain.collector)
  }
  expect(collected).toBe(BigInt(sums?.fees ?? 0))
  expect(held + collected).toBe(BigInt(INVOICES) * AMOUNT + BigInt(PAYMENTS) * PRICE)
  const reconciled = async () => {
    const { code, out } = await remit(stack.variables, 'reconcile', '--json')
    return { code, differences: JSON.parse(out).differences }
  }
  const clean = { code: 0, differences: [] }
  await eventually(reconciled, (seen) => Bun.deepEquals(seen, clean), 30_000)
}

/** What may be logged while requests fail: that they did, and that it was tried again. */
function isPassing(message: string): boolean {
  return /trying again|a turn failed|did not answer|could not be (read|asked|looked at)|asking again/.test(
    message,
  )
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}

function report(what: string, figures: readonly number[]): void {
  console.log(`${what}: median ${median(figures)}, worst ${Math.max(...figures)}`)
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

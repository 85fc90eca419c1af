import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Hex, lowerCaseAddress } from '../../../../core/chain/evm.ts'
import type { Authorization } from '../../../../core/x402/terms.ts'
import { saveProjectedBlock } from '../../../../store/chain/state.ts'
import { remit } from '../../../support/cli/run.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { randomHex, signAuthorization } from '../../../support/x402/authorizations.ts'
import { FACTORY, listed, type NewWallet, newWallets } from '../../../support/x402/newWallets.ts'
import {
  PARTS,
  type Part,
  startX402Processes,
  type X402Processes,
} from '../../../support/x402/processes.ts'
import { v2Body } from '../../../support/x402/requests.ts'
import { PRICE } from '../../../support/x402/stack.ts'
import {
  expectBalanced,
  expectTruth,
  settleWithRetries,
  type Told,
  untilAtRest,
} from '../../../support/x402/truth.ts'

/**
 * Payments while worker, API and Redis are killed at random, by callers that retry as stock clients do.
 * The full count is run with X402_PAYMENTS=500 X402_KILLS=30.
 */

const PAYMENTS = Number(process.env.X402_PAYMENTS ?? 60)
const KILLS = Number(process.env.X402_KILLS ?? 6)
const PAYERS = 20
/** One payment of so many is of a wallet that is created with it. */
const WALLETS_OF = 10
const FUNDS = 10_000_000n
/** From one kill to the next, on average. */
const PAUSE_MS = 1_500
const DAY_S = 86_400n

let stack: X402Processes

beforeAll(async () => {
  stack = await startX402Processes({ X402_WALLET_FACTORIES: listed(FACTORY) })
}, 120_000)

afterAll(() => stack?.close(), 120_000)

test(`${PAYMENTS} payments survive ${KILLS} kills: each is made once, and everyone can know`, async () => {
  const payers = Array.from({ length: PAYERS }, () => privateKeyToAccount(generatePrivateKey()))
  await stack.chain.mint(payers.map(({ address }) => ({ to: address, amount: FUNDS })))
  const wallets = await newWallets(stack.chain, Math.ceil(PAYMENTS / WALLETS_OF), FUNDS)
  const payments = await Promise.all(
    Array.from({ length: PAYMENTS }, (_, i) => {
      const isWallets = i % WALLETS_OF === 0
      return isWallets ? paymentByWallet(wallets[i / WALLETS_OF]) : paymentBy(payers[i % PAYERS])
    }),
  )
  const kills = killAtRandom()
  const told = await Promise.all(
    payments.map(async ({ authorization, body }, i): Promise<Told> => {
      await Bun.sleep((i / PAYMENTS) * KILLS * PAUSE_MS)
      return settleWithRetries(() => stack.settle(body), authorization)
    }),
  )
  console.log('killed', await kills)
  await untilAtRest(stack.database, 60_000)

  const tally = await expectTruth(stack, told)
  console.log('heard last', tally)
  // A duplicate is told only to callers whose success was on its way when the API died.
  expect(tally.settled + tally.duplicates).toBe(PAYMENTS)
  expect(tally.duplicates).toBeLessThanOrEqual(tally.unanswered)
  await expectStatusOfEach(told)
  await expectBalanced(
    stack,
    [...payers, ...wallets].map(({ address }) => ({ address, minted: FUNDS })),
    [stack.merchant],
  )
  await expectReconciled()
}, 900_000)

function paymentByWallet(wallet: NewWallet | undefined) {
  return paymentBy(wallet?.owner, wallet?.address, wallet?.wrap)
}

/** A payment signed by this key, of its own or of another account. */
async function paymentBy(
  payer: PrivateKeyAccount | undefined,
  from = payer?.address,
  wrap = (signature: Hex) => signature,
) {
  if (payer === undefined || from === undefined) throw new Error('there are no payers')
  const { timestamp } = await stack.chain.client.getBlock()
  const authorization: Authorization = {
    from: lowerCaseAddress(from),
    to: stack.merchant.forwarder,
    value: PRICE,
    validAfter: 0n,
    validBefore: timestamp + DAY_S,
    nonce: randomHex(32),
  }
  const signature = wrap(await signAuthorization(stack.chain, payer, authorization))
  return { authorization, body: v2Body(stack.requirements, authorization, signature) }
}

/** Kills parts at random moments, so many times in all, each part about as often as the others. */
async function killAtRandom(): Promise<Record<Part, number>> {
  const counted: Record<Part, number> = { api: 0, worker: 0, redis: 0 }
  for (let done = 0; done < KILLS; ) {
    await Bun.sleep(PAUSE_MS * (0.2 + 1.6 * Math.random()))
    const fewest = Math.min(...Object.values(counted))
    const open = PARTS.filter((part) => counted[part] <= fewest + 1)
    const part = open[Math.floor(Math.random() * open.length)]
    if (part === undefined || !stack.kill(part)) continue
    counted[part] += 1
    done += 1
  }
  return counted
}

/** The party that asks by the nonce alone learns the truth. */
async function expectStatusOfEach(told: readonly Told[]): Promise<void> {
  await eventually(
    () => stack.get('/health').catch(() => null),
    (answer) => answer !== null,
  )
  for (const { authorization, answers } of told) {
    const status = await stack.get(`/v1/x402/payments/status?nonce=${authorization.nonce}`)
    const heard = answers.at(-1)?.transaction
    expect(status).toMatchObject({
      status: 'settled',
      payer: authorization.from,
      amount: '0.01',
      transaction: heard,
    })
  }
}

async function expectReconciled(): Promise<void> {
  // No indexer runs, since no one pays an invoice here; one would have come to the head.
  const head = await stack.chain.client.getBlockNumber()
  await saveProjectedBlock(stack.database, stack.chain.networkId, head)
  const { code, out } = await remit(stack.variables, 'reconcile', '--json')
  const { chains, differences } = JSON.parse(out)
  expect({ code, differences }).toEqual({ code: 0, differences: [] })
  expect(chains).toMatchObject([{ x402: { payments: PAYMENTS } }])
}

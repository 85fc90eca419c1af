import { authorizationsIn } from '../../chain/x402/settlement.ts'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { asHex, hexField } from '../../dev/servers/rpc.ts'
import { randomAddress } from '../../test/support/x402/authorizations.ts'
import { placeCode, TREACHEROUS_WALLET } from '../../test/support/x402/walletCode.ts'
import { ms, type Report } from '../report.ts'
import { type Figures, measureCell } from './cell.ts'
import { freshBlock } from './chain.ts'
import { elements, member } from './json.ts'
import { callAndWait, offer } from './load.ts'
import { walletPosting } from './payers.ts'
import type { Posting } from './posting.ts'
import type { Side } from './side.ts'
import { onStage, type Stage } from './stage.ts'

/**
 * What honest payers notice while contract wallets that agree in every trial burn the gas of the
 * transactions, and what it costs the relayers.
 */

const BLOCKS = 1000
const CALLERS = 32
/** More than these callers can settle in a second. */
const SETTLES_PER_SECOND = 100
const ATTACKS_PER_SECOND = 20
/** In base units: more than a wallet can promise. */
const FUNDS = 1_000_000_000n
/** An attacker does not wait for what it knows. */
const TIMEOUT_S = 2

interface Scene {
  readonly title: string
  readonly wallets: number
}

const SCENES: readonly Scene[] = [
  { title: 'quiet', wallets: 0 },
  { title: '20 wallets', wallets: 20 },
  { title: 'one wallet, a new authorization each time', wallets: 1 },
  { title: 'quiet again', wallets: 0 },
]

export async function measureAttack(report: Report, quick: boolean): Promise<void> {
  const seconds = quick ? 8 : 30
  // The attackers are many client addresses, each with a budget of its own.
  const variables = { REQUEST_BUDGET: '1000000000' }
  const rows = await onStage('ours', { blocks: BLOCKS, merchants: 1, variables }, async (stage) => {
    const found: (readonly [Scene, Figures, Damage])[] = []
    for (const scene of SCENES) found.push([scene, ...(await measureScene(stage, scene, seconds))])
    return found
  })
  const quiet = Math.min(...rows.flatMap(([{ wallets }, { p99 }]) => (wallets === 0 ? [p99] : [])))
  report.table(
    'x402: contract wallets that burn gas',
    `${CALLERS} honest callers settle one payment after the other for ${seconds} s at blocks of 1 s, and ${ATTACKS_PER_SECOND} settles a second are requested by payers whose code agrees in trials and burns all gas in transactions. Wallets' transactions are told by their call; gas is from the receipts. Compared with the better of the quiet runs.`,
    [
      ['', 'settled/s', 'failures', 'p50', 'p99', 'beside quiet', 'tries per wallet', 'gas burnt'],
      ...rows.map(([{ title, wallets }, figures, { tries, gas }]) => [
        title,
        figures.perSecond.toFixed(1),
        String(figures.failures),
        ms(figures.p50),
        ms(figures.p99),
        (figures.p99 / quiet).toFixed(2),
        wallets === 0 ? '' : `at most ${Math.max(0, ...tries.values())}`,
        gas.toLocaleString('en'),
      ]),
    ],
  )
}

/** Honest payments, with attacks beside them. */
async function measureScene(
  { side, payers, settle, ready }: Stage,
  { wallets }: Scene,
  seconds: number,
): Promise<readonly [Figures, Damage]> {
  const attackers = await createWallets(side, wallets)
  const honest = await payers.sign(side.chain, side.merchants, SETTLES_PER_SECOND * seconds)
  const attacks = attacksOf(side, attackers, ATTACKS_PER_SECOND * seconds)
  await ready()
  const first = await freshBlock(side.chain, BLOCKS)
  const span = { seconds, leastRounds: 0, mostSeconds: seconds }
  const attacking = offer(settle, ATTACKS_PER_SECOND, attacks)
  const figures = await measureCell(side, BLOCKS, () =>
    callAndWait(settle, CALLERS, span, honest.values()),
  )
  await attacking
  const last = await side.chain.client.getBlockNumber()
  return [figures, await damageOf(side, new Set(attackers), first, last)]
}

async function createWallets({ chain }: Side, count: number): Promise<readonly Address[]> {
  const wallets = Array.from({ length: count }, randomAddress)
  for (const wallet of wallets) await placeCode(chain, wallet, TREACHEROUS_WALLET)
  if (count > 0) await chain.mint(wallets.map((to) => ({ to, amount: FUNDS })))
  return wallets
}

/** Payments by one wallet after the other, none of which is requested twice. */
function attacksOf(side: Side, wallets: readonly Address[], count: number): Posting[] {
  const [merchant] = side.merchants
  if (merchant === undefined) throw new Error('there is no merchant')
  const requirements = { ...merchant, maxTimeoutSeconds: TIMEOUT_S }
  return Array.from({ length: wallets.length === 0 ? 0 : count }, (_, i) => {
    const wallet = wallets[i % wallets.length]
    if (wallet === undefined) throw new Error('there is no wallet')
    return walletPosting(wallet, requirements)
  })
}

interface Damage {
  /** How often each wallet was tried on-chain. */
  readonly tries: ReadonlyMap<Address, number>
  /** Of the transactions with attackers in them. */
  readonly gas: bigint
}

async function damageOf(
  { chain, senders }: Side,
  attackers: ReadonlySet<Address>,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Damage> {
  const tries = new Map<Address, number>()
  let gas = 0n
  for (let number = fromBlock; number <= toBlock; number += 1n) {
    const tag = `0x${number.toString(16)}`
    const block = await chain.node.rpc('eth_getBlockByNumber', [tag, true])
    for (const transaction of elements(member(block, 'transactions'))) {
      const sender = lowerCaseAddress(hexField(transaction, 'from'))
      const input = asHex(hexField(transaction, 'input'))
      if (!senders.includes(sender) || input === '0x') continue
      const target = lowerCaseAddress(hexField(transaction, 'to'))
      const tried = authorizationsIn(target, input).filter(({ payer }) => attackers.has(payer))
      for (const { payer } of tried) tries.set(payer, (tries.get(payer) ?? 0) + 1)
      if (tried.length === 0) continue
      const hash = hexField(transaction, 'hash')
      const receipt = await chain.node.rpc('eth_getTransactionReceipt', [hash])
      gas += BigInt(hexField(receipt, 'gasUsed'))
    }
  }
  return { tries, gas }
}

import { hasCode } from '../../../chain/accounts.ts'
import type { TokenMovement } from '../../../chain/token/transfers.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { TokenOnChain } from '../../../core/chain/registry.ts'
import { type ForwarderRef, readX402Progress } from '../../../store/books/x402Reconciliation.ts'
import { signedAmount } from '../../terminal/output.ts'
import { lagTolerance, type Scene } from '../findings/comparison.ts'
import { type ForwarderTotals, newForwarderTotals } from '../findings/report.ts'

/** A chain's forwarders as they are gone through, log by log, in the chain's order. */
export interface ForwarderView extends Scene {
  readonly forwarders: readonly ForwarderRef[]
  /** Those of the chain's tokens that are there. */
  readonly tokens: readonly TokenOnChain[]
  readonly accounts: ReadonlyMap<string, ForwarderAccount>
  readonly sums: ReadonlyMap<Address, ForwarderTotals>
  /** The chain's head when its first payment was claimed; null when there has been none. */
  readonly firstBlock: bigint | null
  /** The ids of booked payouts that the hub has told of. */
  readonly matched: Set<string>
}

/** One token in one forwarder. Amounts in base units. */
export interface ForwarderAccount {
  readonly forwarder: ForwarderRef
  readonly token: TokenOnChain
  /** By the token's own transfers so far. */
  balance: bigint
  /** What has arrived since the last payout and belongs to no payment, */
  loose: bigint
  /** and the newest transaction that brought some of it. */
  looseFrom: Hex | null
  /** Fees that the token would not move and that are still there. */
  feesHeld: bigint
  /** The first payout that is booked leaves one base unit behind, which stays for ever. */
  wasPaidOut: boolean
  /** What has left and no payout accounts for. */
  gone: TokenMovement[]
}

export async function openView(
  scene: Scene,
  forwarders: readonly ForwarderRef[],
): Promise<ForwarderView> {
  const { client, database } = scene
  const { networkId, tokens } = client.chain
  const { bookedBlock, firstBlock } = await readX402Progress(database, networkId)
  const block = bookedBlock !== null && bookedBlock < scene.block ? bookedBlock : scene.block
  const codes = await Promise.all(tokens.map(({ address }) => hasCode(client.rpc, address, block)))
  const there = tokens.filter((_, i) => codes[i])
  const lag = scene.block - block
  if (lag > lagTolerance(client.chain)) {
    scene.findings.differences.push({
      kind: 'ledger_behind',
      networkId,
      ledger: block,
      chain: scene.block,
      message: `payouts of forwarders are booked up to block ${block}, the rest of the ledger up to ${scene.block}`,
    })
  }
  const accounts = forwarders.flatMap((forwarder) =>
    there.map((token): [string, ForwarderAccount] => [
      `${forwarder.address} ${token.address}`,
      newAccount(forwarder, token),
    ]),
  )
  return {
    ...scene,
    block,
    forwarders,
    tokens: there,
    accounts: new Map(accounts),
    sums: new Map(tokens.map((token) => [token.address, newForwarderTotals(networkId, token)])),
    firstBlock,
    matched: new Set(),
  }
}

function newAccount(forwarder: ForwarderRef, token: TokenOnChain): ForwarderAccount {
  return {
    forwarder,
    token,
    balance: 0n,
    loose: 0n,
    looseFrom: null,
    feesHeld: 0n,
    wasPaidOut: false,
    gone: [],
  }
}

export function accountOf(
  { accounts }: ForwarderView,
  forwarder: Address,
  token: Address,
): ForwarderAccount | undefined {
  return accounts.get(`${forwarder} ${token}`)
}

/** An amount for people, which may be negative when the ledger is at fault. */
export function shown(amount: bigint, { decimals, symbol }: TokenOnChain): string {
  return `${signedAmount(amount, decimals)} ${symbol}`
}

import { decodeFunctionData } from 'viem'
import { accountNonce } from '../../chain/accounts.ts'
import { HUB_ABI } from '../../chain/hub/contract.ts'
import { authorizationsIn } from '../../chain/hub/settlement.ts'
import {
  type OpenCall,
  openCalls,
  type RelayerBooks,
  relayerBooks,
} from '../../store/books/audit.ts'
import type { Scene } from './findings/comparison.ts'
import type { Difference, DifferenceKind } from './findings/report.ts'

/** Holds what was sent against the rules by which nothing is lost or sent twice. */
export async function compareRelayers(scene: Scene): Promise<void> {
  const { database, client, block, findings } = scene
  const { networkId } = client.chain
  for (const books of await relayerBooks(database, networkId, block)) {
    const [atBlock, now] = await Promise.all([
      accountNonce(client.rpc, books.address, block),
      accountNonce(client.rpc, books.address, 'latest'),
    ])
    findings.differences.push(...nonceOffences(books, atBlock, now))
  }
  const twice = await carriedTwice(scene)
  findings.differences.push(...twice)
}

/** Account nonces without gap, none used by others, and nothing mined that the chain doesn't have. */
function nonceOffences(books: RelayerBooks, atBlock: bigint, now: bigint): Difference[] {
  const { networkId, address, nextNonce, lowestNonce, highestNonce, lowestOpen } = books
  const offences: Difference[] = []
  const report = (message: string, ledger: bigint, chain?: bigint): void => {
    offences.push({
      kind: 'relayer_nonce',
      networkId,
      address,
      ledger,
      ...(chain === undefined ? {} : { chain }),
      message: `relayer ${address}: ${message}`,
    })
  }
  if (lowestNonce !== null && highestNonce !== null) {
    const missing = highestNonce - lowestNonce + 1n - books.transactions
    if (missing > 0n)
      report(`${missing} account nonces between its transactions are missing`, missing)
    if (nextNonce !== highestNonce + 1n) {
      report(
        `its next account nonce is ${nextNonce}, its last transaction ${highestNonce}`,
        nextNonce,
      )
    }
  }
  if (now > nextNonce) {
    report(`the chain has seen ${now} transactions of it, the ledger ${nextNonce}`, nextNonce, now)
  }
  if (books.highestMined !== null && books.highestMined >= atBlock) {
    const mined = books.highestMined
    report(`account nonce ${mined} is mined in the ledger and unused on the chain`, mined, atBlock)
  }
  if (lowestOpen !== null && lowestOpen < atBlock) {
    report(
      `account nonce ${lowestOpen} is open in the ledger and used on the chain`,
      lowestOpen,
      atBlock,
    )
  }
  if (books.status === 'quarantined') {
    const message = `relayer ${address} is quarantined: ${books.note ?? 'no reason was noted'}`
    offences.push({ kind: 'relayer_quarantined', networkId, address, message })
  }
  return offences
}

/** Deposits and authorizations that more than one transaction, still open, would carry out. */
async function carriedTwice({ database, client }: Scene): Promise<Difference[]> {
  const { networkId } = client.chain
  const first = new Map<string, bigint>()
  const differences: Difference[] = []
  for (const call of await openCalls(database, networkId)) {
    for (const { key, kind, what } of itemsIn(call)) {
      const other = first.get(key)
      if (other === undefined) first.set(key, call.id)
      else {
        const message = `transactions ${other} and ${call.id}, both open, ${what}`
        differences.push({ kind, networkId, message })
      }
    }
  }
  return differences
}

interface CarriedItem {
  readonly key: string
  readonly kind: DifferenceKind
  readonly what: string
}

function itemsIn({ kind, target, calldata, isGivenUp }: OpenCall): CarriedItem[] {
  if (kind === 'sweep') {
    const { functionName, args } = decodeFunctionData({ abi: HUB_ABI, data: calldata })
    if (functionName !== 'sweep') return []
    return args[0].map(({ merchantId, invoiceId, recipient, token }) => ({
      key: `${merchantId} ${invoiceId} ${recipient} ${token}`,
      kind: 'item_in_two_transactions',
      what: `sweep invoice ${invoiceId}`,
    }))
  }
  // Work moves on while a transaction that was given up is still being replaced.
  if (isGivenUp || (kind !== 'x402' && kind !== 'x402_wallet')) return []
  return authorizationsIn(target, calldata).map(({ token, payer, nonce }) => ({
    key: `${token} ${payer} ${nonce}`,
    kind: 'authorization_in_two_transactions',
    what: `carry authorization ${nonce} of ${payer}`,
  }))
}

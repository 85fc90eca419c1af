import { decodeFunctionData } from 'viem'
import { accountNonce } from '../../chain/blocks/accounts.ts'
import { readHead } from '../../chain/blocks/blocks.ts'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import { authorizationsIn } from '../../chain/x402/settlement.ts'
import {
  type OpenCall,
  openCalls,
  type RelayerBooks,
  relayerBooks,
} from '../../store/books/audit.ts'
import type { DifferenceKind } from './advice.ts'
import type { Comparison } from './comparison.ts'

/** Checks relayer transactions: none may be lost or sent twice. */
export async function compareRelayers(comparison: Comparison): Promise<void> {
  const { database, client, block, view } = comparison
  const head = await readHead(client.rpc)
  for (const books of await relayerBooks(database, client.chain.networkId, block)) {
    const [atBlock, now] = await Promise.all([
      accountNonce(client.rpc, books.address, view),
      accountNonce(client.rpc, books.address, head),
    ])
    compareNonces(comparison, books, atBlock, now)
  }
  await findCarriedTwice(comparison)
}

/** Account nonces must have no gaps and no other users, and mined transactions must be on the chain. */
function compareNonces(
  { differ }: Comparison,
  books: RelayerBooks,
  atBlock: bigint,
  now: bigint,
): void {
  const { address, nextNonce, lowestNonce, highestNonce, highestMined, lowestOpen } = books
  const report = (message: string, ledger: bigint, chain?: bigint): void => {
    const subject = { address, ledger, ...(chain === undefined ? {} : { chain }) }
    differ('relayer_nonce', subject, `relayer ${address}: ${message}`)
  }
  if (lowestNonce !== null && highestNonce !== null) {
    const gaps = highestNonce - lowestNonce + 1n - books.transactions
    if (gaps > 0n) report(`${gaps} account nonces between its transactions are missing`, gaps)
    if (nextNonce !== highestNonce + 1n) {
      const message = `its next account nonce is ${nextNonce}, its last transaction ${highestNonce}`
      report(message, nextNonce)
    }
  }
  if (now > nextNonce) {
    report(`it has ${now} transactions on the chain, ${nextNonce} in the ledger`, nextNonce, now)
  }
  if (highestMined !== null && highestMined >= atBlock) {
    const message = `account nonce ${highestMined} is mined in the ledger and unused on the chain`
    report(message, highestMined, atBlock)
  }
  if (lowestOpen !== null && lowestOpen < atBlock) {
    const message = `account nonce ${lowestOpen} is open in the ledger and used on the chain`
    report(message, lowestOpen, atBlock)
  }
  if (books.status === 'quarantined') {
    const note = books.note ?? 'no reason was recorded'
    differ('relayer_quarantined', { address }, `relayer ${address} is quarantined: ${note}`)
  }
}

/** Deposits and authorizations in more than one open transaction. */
async function findCarriedTwice({ database, client, differ }: Comparison): Promise<void> {
  const first = new Map<string, bigint>()
  for (const call of await openCalls(database, client.chain.networkId)) {
    for (const { key, kind, what } of itemsIn(call)) {
      const other = first.get(key)
      if (other === undefined) first.set(key, call.id)
      else differ(kind, {}, `transactions ${other} and ${call.id}, both open, ${what}`)
    }
  }
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
  // The items of an abandoned transaction are moved to others while it is still being replaced.
  if (isGivenUp || (kind !== 'x402' && kind !== 'x402_wallet')) return []
  return authorizationsIn(target, calldata).map(({ token, payer, nonce }) => ({
    key: `${token} ${payer} ${nonce}`,
    kind: 'authorization_in_two_transactions',
    what: `execute authorization ${nonce} of ${payer}`,
  }))
}

/**
 * How nodes refuse signed transactions, by client, and what each refusal means for what to do next. The words
 * are those of the clients' sources. Codes are no help: most clients answer -32000 to all of these, and where
 * they don't, the same code means different things.
 */

export type Client =
  | 'geth'
  | 'bor'
  | 'op-geth'
  | 'Nitro'
  | 'Erigon'
  | 'Nethermind'
  | 'Besu'
  | 'Reth'
  | 'anvil'

export type Meaning =
  | 'known'
  | 'nonce_too_low'
  | 'nonce_too_high'
  | 'replacement'
  | 'base_fee'
  | 'tip_floor'
  | 'no_funds'
  | 'fee_cap'
  | 'gas_limit'
  | 'wrong_chain'
  | 'invalid'
  | 'pool_full'
  | 'account_limit'
  | 'blocked'
  | 'syncing'

export interface Refusal {
  readonly clients: readonly Client[]
  readonly meaning: Meaning
  readonly words: RegExp
  /** A client's wording. */
  readonly example: string
}

const GETHS = ['geth', 'bor', 'op-geth'] as const

/**
 * The first row that fits counts. Sources: core/txpool (errors.go, validation.go, legacypool), core/error.go and
 * internal/ethapi of geth, bor and op-geth; execution/gethexec of Nitro; txpoolcfg.go of Erigon;
 * AcceptTxResult.cs and TxPoolErrorMessages.cs of Nethermind, and its names of before 2026; RpcErrorType.java of
 * Besu; rpc-eth-types/src/error of Reth.
 */
export const REFUSALS: readonly Refusal[] = [
  row('known', [...GETHS, 'Nethermind', 'Reth'], /already known|alreadyknown/i, 'already known'),
  row('known', ['Besu'], /known transaction/i, 'Known transaction'),
  row('known', ['Erigon'], /existing txn? with same hash/i, 'existing txn with same hash'),
  row('known', ['Reth', 'anvil'], /already imported|already exists/i, 'already imported'),
  row(
    'nonce_too_low',
    [...GETHS, 'Nitro', 'Erigon', 'Nethermind', 'Besu', 'Reth', 'anvil'],
    /nonce (is )?too low|noncetoolow/i,
    'nonce too low: next nonce 5, tx nonce 4',
  ),
  row('nonce_too_low', ['Nethermind'], /oldnonce/i, 'OldNonce, Current nonce: 5'),
  row(
    'replacement',
    [...GETHS, 'Erigon', 'Nethermind', 'Besu', 'Reth'],
    /replacement transaction underpriced|replacementnotallowed/i,
    'replacement transaction underpriced',
  ),
  row('replacement', ['Erigon'], /could not replace/i, 'could not replace existing tx'),
  row(
    'base_fee',
    [...GETHS, 'Nitro', 'Reth'],
    /(max fee per gas|fee cap) less than (block )?base fee/i,
    'max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 2',
  ),
  row('base_fee', ['Besu'], /below current base fee/i, 'Gas price below current base fee'),
  row(
    'base_fee',
    ['Nethermind'],
    /maxfeepergas too low/i,
    'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 50, BaseFee: 100',
  ),
  row(
    'tip_floor',
    [...GETHS],
    /gas tip cap \d+, minimum needed (?<floor>\d{1,30})/i,
    'transaction gas price below minimum: gas tip cap 1000000, minimum needed 25000000000',
  ),
  row(
    'tip_floor',
    [...GETHS],
    /tip needed (?<floor>\d{1,30}), tip permitted/i,
    'transaction underpriced: tip needed 25000000000, tip permitted 1000000',
  ),
  row(
    'tip_floor',
    ['Reth'],
    /below minimum required priority fee (?<floor>\d{1,30})/i,
    'transaction priority fee below minimum required priority fee 1000000000',
  ),
  row(
    'tip_floor',
    ['Nethermind'],
    /effectivepriorityfeepergas too low \d+ < (?<floor>\d{1,30})/i,
    'FeeTooLow, EffectivePriorityFeePerGas too low 10 < 20, BaseFee: 30',
  ),
  row(
    'tip_floor',
    ['Nethermind'],
    /feetoolow|needs to be higher than \d+ to be added/i,
    'FeeTooLowToCompete',
  ),
  row(
    'tip_floor',
    ['Besu'],
    /below configured minimum/i,
    'Gas price below configured minimum gas price',
  ),
  row('tip_floor', ['Erigon'], /fee too low/i, 'fee too low'),
  row('tip_floor', ['Nitro'], /gas price too low|tip too low/i, 'gas price too low'),
  row(
    'tip_floor',
    [...GETHS, 'Erigon', 'Nethermind', 'Reth'],
    /underpriced|gas price below minimum/i,
    'transaction underpriced',
  ),
  row(
    'no_funds',
    [...GETHS, 'Nitro', 'Erigon', 'Nethermind', 'Reth', 'anvil'],
    /insufficient (funds|balance)|insufficientfunds|overdraws from account/i,
    'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1',
  ),
  row('no_funds', ['Besu'], /exceeds account balance/i, 'Upfront cost exceeds account balance'),
  row(
    'fee_cap',
    [...GETHS, 'Erigon', 'Reth'],
    /tx ?fee.*exceeds the config/i,
    'tx fee (1.81 ether) exceeds the configured cap (1.00 ether)',
  ),
  row('fee_cap', ['Besu'], /transaction fee cap exceeded/i, 'Transaction fee cap exceeded'),
  row(
    'gas_limit',
    [...GETHS, 'Besu', 'Reth', 'anvil'],
    /exceeds (the )?block('s)? gas limit|exceeds maximum per-transaction gas limit|exceeds.*gas limit cap/i,
    'exceeds block gas limit',
  ),
  row(
    'gas_limit',
    [...GETHS, 'Erigon', 'Reth'],
    /gas limit (is )?too high|intrinsic gas too high/i,
    'transaction gas limit too high (cap: 16777216, tx: 20000000)',
  ),
  row('gas_limit', ['Nethermind'], /gaslimitexceeded|gas limit reached/i, 'gas limit reached'),
  row(
    'gas_limit',
    [...GETHS, 'Nitro', 'Besu', 'Erigon', 'Reth', 'anvil'],
    /intrinsic ?gas|floor data gas cost/i,
    'intrinsic gas too low: gas 0, minimum needed 21000',
  ),
  row(
    'wrong_chain',
    [...GETHS, 'Reth', 'anvil'],
    /invalid chain ?id/i,
    'invalid sender: invalid chain id for signer: have 1 want 2',
  ),
  row(
    'wrong_chain',
    ['Besu'],
    /wrong chainid|chainid (not supported|is required)/i,
    'Wrong chainId',
  ),
  row(
    'invalid',
    [...GETHS, 'Erigon', 'Reth'],
    /invalid sender|oversized data|rlptoolong|size.*exceed|overflow|negative value/i,
    'oversized data: transaction size 131073, limit 131072',
  ),
  row(
    'invalid',
    [...GETHS, 'Nitro', 'Reth'],
    /(tx|transaction) type not supported|higher than max fee|higher than 2\^256-1/i,
    'transaction type not supported',
  ),
  row(
    'invalid',
    ['Nethermind'],
    /transaction (invalid|too large)|failed to recover sender|unsupported transaction type/i,
    'transaction too large',
  ),
  row(
    'invalid',
    ['Besu'],
    /invalid (signature|transaction type)|exceeds max fee per gas/i,
    'Max priority fee per gas exceeds max fee per gas',
  ),
  row(
    'nonce_too_high',
    [...GETHS, 'Nitro', 'Nethermind', 'Besu', 'Reth'],
    /nonce too high/i,
    'nonce too high',
  ),
  row(
    'nonce_too_high',
    ['Nethermind', 'Besu'],
    /noncegap|nonce too far in future|nonce is too distant|lower nonce exists/i,
    'Transaction nonce is too distant from current sender nonce',
  ),
  row('pool_full', [...GETHS, 'Reth'], /tx ?pool is full/i, 'txpool is full'),
  row('pool_full', ['Erigon'], /sub-pool is full/i, 'pending sub-pool is full'),
  row(
    'pool_full',
    [...GETHS],
    /tries to replace pending/i,
    'future transaction tries to replace pending',
  ),
  row(
    'pool_full',
    ['Nitro'],
    /queue full|pool full|expected surplus being below/i,
    'sequencer pending tx pool full, please try again',
  ),
  row(
    'account_limit',
    [...GETHS, 'Reth'],
    /account limit exceeded|in-flight transaction limit|delegated accounts|already reserved/i,
    'account limit exceeded: pooled 16 txs',
  ),
  row(
    'account_limit',
    ['Nethermind'],
    /delegation (nonce gap|authority)|type conflict/i,
    'delegation nonce gap',
  ),
  row(
    'blocked',
    ['Besu'],
    /not authorized to send/i,
    'Sender account not authorized to send transactions',
  ),
  row('blocked', ['Besu'], /plugin has marked/i, 'Plugin has marked the transaction as invalid'),
  row('blocked', ['Nitro'], /not on the whitelist/i, 'transaction sender is not on the whitelist'),
  row('blocked', [...GETHS, 'Nethermind'], /sender (is )?not an eoa/i, 'sender not an eoa'),
  row('syncing', ['Nethermind'], /node is syncing/i, 'node is syncing'),
  row(
    'syncing',
    ['Besu'],
    /initial sync is still|transaction pool not enabled/i,
    'Initial sync is still in progress',
  ),
  row(
    'syncing',
    ['Nitro'],
    /sequencer temporarily not available|please retry transaction/i,
    'sequencer temporarily not available',
  ),
]

/** What is done about each refusal, as in docs/operating.md. */
export const RESPONSES: Readonly<Record<Meaning, string>> = {
  known: 'counts as sent',
  nonce_too_low: 'searches its receipt',
  nonce_too_high: 'sends those before it again, then this one, after pauses that grow',
  replacement: 'offers an eighth more in both fields',
  base_fee: 'offers the price of the newest block, and an eighth more',
  tip_floor:
    'adopts the minimum that is named for a day, on the whole chain; doubles the tip where none is named',
  no_funds: 'pauses the key until it has money',
  fee_cap: 'cancels it and sends its items in smaller transactions',
  gas_limit: 'cancels it and sends its items in smaller transactions',
  wrong_chain: 'cancels it; raises `refused`',
  invalid: 'cancels it; raises `refused`',
  pool_full: 'sends it again after pauses that grow; raises `refused`',
  account_limit: 'sends it again after pauses that grow; raises `refused`',
  blocked: 'sends it again after pauses that grow; raises `refused`',
  syncing: 'sends it again after pauses that grow; raises `refused`',
}

export interface Understood {
  readonly refusal: Refusal
  /** The least tip that the pool takes, in wei per gas, where the refusal names it. */
  readonly floor: bigint | null
}

/** The row that fits a node's words; null for words that no row has. */
export function understand(words: string): Understood | null {
  for (const refusal of REFUSALS) {
    const found = refusal.words.exec(words)
    if (found === null) continue
    const floor = found.groups?.floor
    return { refusal, floor: floor === undefined ? null : BigInt(floor) }
  }
  return null
}

function row(
  meaning: Meaning,
  clients: readonly Client[],
  words: RegExp,
  example: string,
): Refusal {
  return { meaning, clients, words, example }
}

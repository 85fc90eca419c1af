import { accountNonce, quietNonce } from '../../chain/blocks/accounts.ts'
import type { Head } from '../../chain/blocks/blocks.ts'
import { isOperator } from '../../chain/hub/contract.ts'
import { atView } from '../../chain/rpc/view.ts'
import type { Address } from '../../core/chain/evm.ts'
import {
  changeKeyStatus,
  idleLeases,
  insertRelayerKey,
  type Lease,
  leaseKeys,
  type RelayerKey,
  readRelayerKeys,
  recordBalance,
  releaseKeyLeases,
  renewLeases,
} from '../../store/relayer/keys.ts'
import { isNews, type RelayerContext, type RelayerTurn } from './context.ts'

/** Leasing keys, taking new ones in, and keeping an eye on how far they are and what they hold. */

const LOG_PENDING_MS = 30_000
const OPERATOR_CHECK_MS = 60_000
const POOR_BALANCE_MS = 1_000
const LOG_LOW_BALANCE_MS = 10 * 60_000
/** For how many block times account nonces that were read after a head are kept. */
const NONCES_KEPT_BLOCKS = 1.5

const addressOf = ({ address }: Lease) => address

/** Whether this worker has as many keys as it may. */
export function hasItsShare({ memory, accounts, config }: RelayerContext): boolean {
  return memory.leases.size >= Math.min(accounts.size, config.relayer.keysPerWorker)
}

/** Renews our leases when a quarter of their term is over. What others have is dropped; then it returns false. */
export async function keepLeases(context: RelayerContext): Promise<boolean> {
  const { memory, config, database, log } = context
  const now = performance.now()
  const held = memory.leases.size
  if (held === 0 || now - memory.renewedAt < config.relayer.leaseMs / 4) return true
  const leases = [...memory.leases.values()]
  await context.work.together('lease', leases, addressOf, async (some) => {
    const renewed = await renewLeases(database, some, config.relayer.leaseMs)
    for (const lease of some) {
      if (renewed.includes(lease)) continue
      memory.leases.delete(lease.address)
      log.warn({ address: lease.address }, 'the lease of a relayer key was lost to another worker')
    }
  })
  memory.renewedAt = now
  const isWhole = memory.leases.size === held
  await shareKeys(context)
  return isWhole
}

/**
 * Leases free keys up to this worker's share, and beyond it those that a dead worker left with
 * transactions on their way. Keys that the hub doesn't know start nothing new. Returns the rows of all keys.
 */
export async function acquireKeys(
  context: RelayerContext,
  hasWork: boolean,
): Promise<readonly RelayerKey[]> {
  const { memory, accounts, config, database, networkId, workerId, log } = context
  const keys = await takeInNewKeys(context)
  await refreshOperators(context, hasWork)
  const addresses = keys.flatMap(({ address, isLeased }) =>
    isLeased || memory.leases.has(address) || !accounts.has(address) ? [] : [address],
  )
  if (addresses.length === 0) return keys
  const { leaseMs, keysPerWorker } = config.relayer
  const leased = await context.work.together('lease', addresses, String, async (some) => {
    const leases = await leaseKeys(database, {
      networkId,
      addresses: some,
      senders: some.filter((address) => memory.operators.get(address)?.isOperator),
      workerId,
      leaseMs,
      limit: Math.max(0, keysPerWorker - memory.leases.size),
    })
    for (const lease of leases) {
      memory.leases.set(lease.address, lease)
      log.info({ address: lease.address, fence: lease.fence }, 'leased a relayer key')
    }
    return leases.length
  })
  if (leased.every((count) => count === 0)) return keys
  memory.renewedAt = performance.now()
  await context.step('leased')
  return readRelayerKeys(database, networkId)
}

/** Gives keys beyond this worker's share back, once nothing of them is on its way. */
async function shareKeys(context: RelayerContext): Promise<void> {
  const { memory, config, database, log } = context
  const excess = memory.leases.size - config.relayer.keysPerWorker
  if (excess <= 0) return
  const idle = (await idleLeases(database, [...memory.leases.values()])).slice(0, excess)
  for (const { address } of idle) {
    memory.leases.delete(address)
    log.info({ address }, 'gave a relayer key back')
  }
  await releaseKeyLeases(database, idle)
}

/**
 * Keys that were configured since: a row with the account's own nonce, once nothing is pending. Returns the rows of
 * all keys.
 */
async function takeInNewKeys(context: RelayerContext): Promise<RelayerKey[]> {
  const { database, networkId, client, log } = context
  const keys = await readRelayerKeys(database, networkId)
  const known = new Set(keys.map(({ address }) => address))
  const unknown = [...context.accounts.keys()].filter((address) => !known.has(address))
  const taken = await context.work.each('nonce', unknown, String, async (address) => {
    const nextNonce = await quietNonce(client.rpc, address)
    if (nextNonce === null) {
      if (isNews(context, `pending ${address}`, LOG_PENDING_MS)) {
        log.warn({ address }, 'a new relayer key waits: its account has transactions on their way')
      }
      return false
    }
    await insertRelayerKey(database, { networkId, address, nextNonce })
    log.info({ address, nextNonce }, 'a new relayer key was taken in')
    return true
  })
  return taken.includes(true) ? readRelayerKeys(database, networkId) : keys
}

/** Reads the operators from the hub again now and then, while there is work: an owner may have removed one. */
async function refreshOperators(context: RelayerContext, hasWork: boolean): Promise<void> {
  const { accounts, memory, client, config, log } = context
  const now = performance.now()
  const due = [...accounts.keys()].filter((address) => {
    const answer = memory.operators.get(address)
    const pause = answer?.isOperator ? OPERATOR_CHECK_MS : OPERATOR_CHECK_MS / 12
    return answer === undefined || (hasWork && now - answer.at >= pause)
  })
  await context.work.each('operator', due, String, async (address) => {
    const before = memory.operators.get(address)
    const answer = await isOperator(client.rpc, config.hub, address)
    memory.operators.set(address, { isOperator: answer, at: now })
    if (answer || before?.isOperator === false) return
    log.error({ address }, 'a relayer key is no operator of the hub: the owner must add it')
  })
}

/**
 * The account nonces after a head, each of which is read once: a block's state doesn't change. When the next
 * block is late they are read again, because a node may announce a block before it has its state.
 */
export async function noncesAt(
  context: RelayerContext,
  addresses: readonly Address[],
  head: Head,
): Promise<ReadonlyMap<Address, bigint>> {
  const { client, memory } = context
  const now = performance.now()
  const isOld = now - memory.nonces.at > NONCES_KEPT_BLOCKS * client.chain.blockTimeMs
  if (isOld || memory.nonces.head !== head.hash) {
    memory.nonces = { head: head.hash, at: now, known: new Map() }
  }
  const { known } = memory.nonces
  const unknown = addresses.filter((address) => !known.has(address))
  await context.work.each('nonce', unknown, String, async (address) => {
    known.set(address, await accountNonce(client.rpc, address, head))
  })
  const wanted = new Set(addresses)
  return new Map([...known].filter(([address]) => wanted.has(address)))
}

/**
 * Reads what our keys hold, for the alarm and for /ready. With a turn, for its view, and more often for
 * keys that have nothing; at rest, now and then.
 */
export async function watchBalances(
  context: RelayerContext,
  keys: RelayerTurn['keys'],
  turn: RelayerTurn | null = null,
): Promise<void> {
  const { memory, client, config, database, networkId, limits, log } = context
  const now = performance.now()
  const pauseFor = (address: Address) => {
    if (turn?.accountNonces.has(address) !== true) return limits.restingBalanceMs
    return keys.get(address)?.status === 'no_funds' ? POOR_BALANCE_MS : limits.balanceEveryMs
  }
  const due = [...memory.leases.keys()].filter((address) => {
    const known = memory.balances.get(address)
    return known === undefined || now - known.at >= pauseFor(address)
  })
  await context.work.each('balance', due, String, async (address) => {
    const wei = await client.rpc.getBalance({ address, ...atView(turn?.head) })
    const before = memory.balances.get(address)
    memory.balances.set(address, { wei, at: now })
    if (before?.wei !== wei || now - before.at > limits.balanceEveryMs) {
      await recordBalance(database, { networkId, address }, wei)
    }
    const isLow = wei < config.relayer.lowBalanceWei
    if (isLow && isNews(context, `low balance ${address}`, LOG_LOW_BALANCE_MS)) {
      log.warn({ address, wei }, 'a relayer key is low on gas money')
    }
  })
}

/** True when a key that had no money seems to have been sent some. */
export function canResume({ memory, config }: RelayerContext, keys: RelayerTurn['keys']): boolean {
  return [...memory.leases.keys()].some((address) => {
    const held = memory.balances.get(address)?.wei ?? 0n
    return keys.get(address)?.status === 'no_funds' && held >= config.relayer.lowBalanceWei
  })
}

/** Keys that had no money resume when they hold what each needs, in wei. */
export async function resumeFunded(
  turn: RelayerTurn,
  neededBy: (address: Address) => bigint,
): Promise<void> {
  const { database, networkId, memory, keys, log } = turn
  const poor = [...memory.leases.keys()].filter((one) => keys.get(one)?.status === 'no_funds')
  await turn.work.each('watch', poor, String, async (address) => {
    const wei = memory.balances.get(address)?.wei ?? 0n
    if (wei < neededBy(address)) return
    if (await changeKeyStatus(database, { networkId, address }, ['no_funds'], 'active', null)) {
      log.info({ address, wei }, 'a relayer key has money for gas again')
    }
  })
}

/** Gives all leases back. */
export async function releaseKeys({ memory, database }: RelayerContext): Promise<void> {
  const leases = [...memory.leases.values()]
  memory.leases.clear()
  await releaseKeyLeases(database, leases)
}

import { formatAmount } from '../../core/base/money.ts'
import { hoursLeft } from '../../core/chain/gasShares.ts'
import { COIN_DECIMALS } from '../../core/chain/tokens.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import type { SystemHealth } from '../../store/books/health.ts'
import type { RelayerKey } from '../../store/relayer/keys.ts'
import type { Readiness } from './readiness.ts'

/** Readiness of the keys that send transactions on a chain. */

/** Warns this early about a key that runs out of gas: enough for an operator to act the next day. */
const LEAST_HOURS = 24

export function assessRelayers(
  keys: readonly RelayerKey[],
  chain: ActiveChain,
  lowBalance: bigint,
  strangers: ReadonlySet<string>,
): Readiness {
  const { networkId, symbol } = chain
  const problems: string[] = []
  const warnings: string[] = []
  const able = keys
    .filter((key) => key.status === 'active' && key.isLeased && key.balance !== 0n)
    .filter(({ address }) => !strangers.has(address))
  if (able.length === 0) {
    const describeKey = (key: RelayerKey) =>
      strangers.has(key.address) ? `${key.address} is no operator of the hub` : describe(key)
    const why = keys.length === 0 ? 'there is none yet' : keys.map(describeKey).join(', ')
    problems.push(`${networkId}: no relayer can send transactions (${why})`)
  }
  for (const key of keys) {
    const name = `${networkId}: relayer ${key.address}`
    if (key.status === 'quarantined') {
      const why = key.note ?? 'one of its account nonces was used by another sender'
      warnings.push(`${name} is quarantined: ${why}`)
    } else if (key.balance !== null && key.balance < lowBalance) {
      const left = formatAmount(key.balance, COIN_DECIMALS)
      warnings.push(`${name} is low on gas: it holds ${left} ${symbol}`)
    } else if (key.status === 'no_funds') {
      warnings.push(`${name} can't pay for gas`)
    }
  }
  return { problems, warnings }
}

/** Keys that run out of gas soon. */
export function paceWarnings(
  { gasPaces }: SystemHealth,
  keys: readonly RelayerKey[],
  { networkId }: ActiveChain,
): string[] {
  return keys.flatMap(({ address, balance }) => {
    const pace = gasPaces.find((one) => one.networkId === networkId && one.address === address)
    const left = pace === undefined || balance === null ? null : hoursLeft(balance, pace)
    if (left === null || left >= LEAST_HOURS) return []
    const hours = left < 1 ? 'less than an hour' : `${Math.floor(left)} hours`
    return [
      `${networkId}: relayer ${address} runs out of gas in ${hours} at the current rate: fund it`,
    ]
  })
}

/** Relayers that workers reported as no operators of the hub: it rejects their transactions. */
export function strangersTo(health: SystemHealth, { networkId }: ActiveChain): ReadonlySet<string> {
  const ours = health.alarms.filter((alarm) => alarm.networkId === networkId)
  return new Set(ours.filter(({ kind }) => kind === 'operator').map(({ subject }) => subject))
}

function describe(key: RelayerKey): string {
  const isPoor = key.status === 'no_funds' || (key.status === 'active' && key.balance === 0n)
  const status = isPoor ? 'without funds' : key.status
  return `${key.address} is ${status === 'active' ? 'not used by any worker' : status}`
}

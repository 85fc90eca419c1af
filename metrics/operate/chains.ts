import { hoursLeft } from '../../core/chain/gasShares.ts'
import { COIN_DECIMALS } from '../../core/chain/tokens.ts'
import type { SystemHealth } from '../../store/books/health.ts'
import type { GasOfToday, OpenNonces } from '../../store/books/money.ts'
import { secondsOf } from '../process/figures.ts'
import type { Gauges } from '../process/gauges.ts'

/** How far the chains are followed, and what the relayers' keys have. */

export type ShowHealth = (health: SystemHealth, chainIds: ReadonlyMap<string, number>) => void

export function chainFigures(gauges: Gauges): ShowHealth {
  const head = gauges.add('remit_chain_head_block', 'The newest block that a worker has seen.', [
    'chain',
  ])
  const seen = gauges.add(
    'remit_chain_head_seen_timestamp_seconds',
    'When a worker last heard from a node of the chain.',
    ['chain'],
  )
  const moved = gauges.add(
    'remit_chain_head_moved_timestamp_seconds',
    'When a node of the chain last showed a new block.',
    ['chain'],
  )
  const behind = gauges.add(
    'remit_indexer_lag_blocks',
    'Blocks between the newest that a worker has seen and the newest that is indexed.',
    ['chain'],
  )
  const leftOut = gauges.add(
    'remit_rpc_urls_left_out',
    'RPC URLs that are not used, because they answer for another chain or branch.',
    ['chain'],
  )
  return ({ chains, nodes: watched, indexerHeads }, chainIds) => {
    for (const chain of chains) {
      const labels = { chain: chain.networkId }
      head(Number(chain.head), labels)
      if (chain.headSeenAt) seen(secondsOf(chain.headSeenAt), labels)
      if (chain.movedAt) moved(secondsOf(chain.movedAt), labels)
      const indexed = indexerHeads.get(chainIds.get(chain.networkId) ?? 0)
      if (indexed !== undefined) behind(Math.max(0, Number(chain.head - indexed)), labels)
    }
    for (const [chain, nodes] of Map.groupBy(watched, ({ networkId }) => networkId)) {
      leftOut(nodes.filter(({ fault }) => fault !== null).length, { chain })
    }
  }
}

export function relayerFigures(gauges: Gauges): ShowHealth {
  const balance = gauges.add(
    'remit_relayer_balance_coins',
    "What a relayer's account holds of the chain's own coin, as last read.",
    ['chain', 'address'],
  )
  const lasts = gauges.add(
    'remit_relayer_hours_left',
    "For how long a relayer's balance pays for gas at the present rate. Not there while it spends nothing.",
    ['chain', 'address'],
  )
  const status = gauges.add('remit_relayer_status', 'Always 1; the status is in its label.', [
    'chain',
    'address',
    'status',
  ])
  const leased = gauges.add('remit_relayer_leased', 'Whether a worker holds the key: 1 if so.', [
    'chain',
    'address',
  ])
  const able = gauges.add(
    'remit_relayers_able',
    'Active relayer keys that a worker holds: none sends anything while it is 0.',
    ['chain'],
  )
  return ({ relayerKeys, gasPaces }, chainIds) => {
    for (const chain of chainIds.keys()) {
      const own = relayerKeys.filter(({ networkId }) => networkId === chain)
      able(own.filter(({ status: is, isLeased }) => is === 'active' && isLeased).length, { chain })
    }
    for (const key of relayerKeys) {
      const labels = { chain: key.networkId, address: key.address }
      if (key.balance !== null) balance(Number(key.balance) / 10 ** COIN_DECIMALS, labels)
      const pace = gasPaces.find(
        ({ networkId, address }) => networkId === key.networkId && address === key.address,
      )
      const hours = pace && key.balance !== null ? hoursLeft(key.balance, pace) : null
      if (hours !== null) lasts(hours, labels)
      status(1, { ...labels, status: key.status })
      leased(key.isLeased ? 1 : 0, labels)
    }
  }
}

/** What relayers have on its way. That one is quarantined is its status. */
export function nonceFigures(gauges: Gauges): (nonces: readonly OpenNonces[]) => void {
  const open = gauges.add(
    'remit_relayer_transactions_open',
    'Transactions of a relayer that are not final yet.',
    ['chain', 'address'],
  )
  const gap = gauges.add(
    'remit_relayer_nonce_gap',
    'Account nonces among theirs for which there is no transaction: 0, or what comes after them waits.',
    ['chain', 'address'],
  )
  return (nonces) => {
    for (const { networkId, address, open: count, gap: missing } of nonces) {
      open(count, { chain: networkId, address })
      gap(missing, { chain: networkId, address })
    }
  }
}

/** Gas that is booked, by chain; never by merchant. */
export function gasFigures(gauges: Gauges): (gas: readonly GasOfToday[]) => void {
  const spent = gauges.add(
    'remit_gas_spent_today_coins',
    "What relayers have spent on gas since midnight UTC, in the chain's own coin.",
    ['chain'],
  )
  return (gas) => {
    for (const { networkId, wei } of gas) {
      spent(Number(wei) / 10 ** COIN_DECIMALS, { chain: networkId })
    }
  }
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is code of the product, as it stands there.
import type { Planted } from './edits.ts'
import { INVOICE_FAULTS } from './invoiceFaults.ts'

/** Faults in the paths of money, besides those of the table of mutation testing. */

/** No better paid attempt takes the place of one that a node has taken. */
const NEVER_OUTBID = {
  file: 'workers/relayer/signing.ts',
  find: 'return tx.accountNonce === mined && isBumpDue(turn, last)',
  put: 'return tx.accountNonce === mined && isUnderpriced(last)',
}

const RELAYER: readonly Planted[] = [
  {
    name: 'an account nonce taken twice',
    file: 'store/relayer/keys.ts',
    find: 'update relayer_key set next_nonce = ${nonce + 1n}',
    put: 'update relayer_key set next_nonce = ${nonce}',
  },
  {
    name: 'items bound to two transactions',
    file: 'store/relayer/workItems.ts',
    find: 'limit ${most} for update of w skip locked`',
    put: 'limit ${most}`',
    also: [
      {
        file: 'store/relayer/workItems.ts',
        find: "where id = any(${list(ids)}::bigint[]) and state = 'queued' returning id`",
        put: 'where id = any(${list(ids)}::bigint[]) returning id`',
      },
    ],
  },
  {
    name: 'what a reorganisation took away stays mined',
    file: 'store/relayer/transition.ts',
    find: 'return sql`was.status = any(${[mined, confirmed]}::text[])`',
    put: "return sql`was.status = 'none'`",
  },
  {
    name: 'what failed moves no promise back',
    file: 'store/refund/transition.ts',
    find: "const isUnderWay = status === 'open' || status === 'mined'",
    put: "const isUnderWay = status !== 'confirmed'",
  },
  {
    name: 'items of a reorganised transaction stay settled',
    file: 'store/relayer/workItems.ts',
    find: "where tx_id = ${txId} and state in ('assigned', 'settled')`",
    put: "where tx_id = ${txId} and state in ('assigned')`",
  },
  {
    name: 'a transaction sent before it is stored',
    file: 'workers/relayer/assign.ts',
    find: "await turn.step('before_assign_commit')",
    put: `await (await import('./deliver.ts')).send(
      turn,
      { txId, address, hash: signed.hash, wasAccepted: false },
      signed.raw,
    )`,
  },
  {
    name: 'the outcome of an attempt stored without its transaction',
    file: 'workers/relayer/assign.ts',
    find: 'insertAttempt(sql, { id: txId, networkId }, 1, signed),',
    put: 'insertAttempt(turn.database, { id: txId, networkId }, 1, signed).catch(() => undefined),',
  },
  {
    name: 'what an earlier process sent taken for received',
    file: 'workers/relayer/deliver.ts',
    find: 'if (before === undefined || (!what.wasAccepted && before.accepted)) return true',
    put: 'if (before === undefined) return !what.wasAccepted',
    also: [NEVER_OUTBID],
  },
  {
    name: 'the transaction of the next account nonce not sent',
    file: 'workers/relayer/deliver.ts',
    find: 'if (accountNonce < mined) continue',
    put: 'if (accountNonce <= mined) continue',
  },
  {
    name: 'what a node has forgotten not sent again',
    file: 'workers/relayer/deliver.ts',
    find: 'const pause = before.accepted ? limits.rebroadcastMs : limits.retryMs',
    put: 'const pause = before.accepted ? Number.POSITIVE_INFINITY : limits.retryMs',
    also: [NEVER_OUTBID],
  },
  {
    name: 'reorganised transactions not noticed',
    file: 'workers/relayer/observe.ts',
    find: 'return canonical !== null && canonical !== tx.minedBlockHash',
    put: 'return false && canonical !== null',
  },
  {
    name: 'only the receipt of the newest attempt looked for',
    file: 'workers/relayer/observe.ts',
    find: 'const hashes = attemptsOf(turn, tx.id).map(({ hash }) => hash)',
    put: 'const hashes = attemptsOf(turn, tx.id).map(({ hash }) => hash).slice(-1)',
  },
]

const PAID_REQUESTS: readonly Planted[] = [
  {
    name: 'callers answered before a block is deep',
    file: 'workers/relayer/observe.ts',
    find: 'if ((isSingleUse || isAwaited) && !isDeep) return false',
    put: 'if (isAwaited && !isDeep) return false',
  },
  {
    name: 'two callers told of one success',
    file: 'store/x402/outcomes.ts',
    find: 'where granted.id = g.id and granted.owner = g.owner)',
    put: 'where granted.id = g.id)',
  },
  {
    name: 'a success answered again after its lease',
    file: 'store/x402/outcomes.ts',
    find: 'answered_at = case when open.was_written then now() else p.answered_at end,',
    put: 'answered_at = p.answered_at,',
  },
  {
    name: 'a claim withdrawn that is signed for',
    file: 'store/migrations/0390_withdraw_what_was_compared.sql',
    find: "if item.id is null or item.carried_by is not null or item.state = 'assigned' then return false; end if;",
    put: 'if item.id is null then return false; end if; item.carried_by := null;',
  },
  {
    name: 'a payout while a refund is on its way',
    file: 'workers/x402/distribute.ts',
    find: 'const due = await withoutRefunds(sql, client.chain.networkId, payable)',
    put: 'const due = payable.filter(() => withoutRefunds.length > 0)',
  },
]

const REFUNDS: readonly Planted[] = [
  {
    name: 'two refunds of the same money',
    file: 'store/invoice/locking.ts',
    find: 'const [invoice] = await sql<Invoice[]>`select * from lock_invoice(${invoiceId})`',
    put: 'const [invoice] = await sql<Invoice[]>`select * from invoice where id = ${invoiceId}`',
    also: [
      {
        file: 'store/schema/11_refund.sql',
        find: 'and part.amount <= p.amount - p.refunded - p.refunding',
        put: '',
      },
    ],
  },
  {
    name: 'the idempotency key of a refund ignored',
    file: 'store/refund/refunds.ts',
    find: 'if (before) return repeated(',
    put: 'if (before?.amount === 0n) return repeated(',
  },
  {
    name: 'what a refund takes not reserved',
    file: 'store/schema/11_refund.sql',
    find: 'update payment p set refunding = p.refunding + part.amount',
    put: 'update payment p set refunding = p.refunding',
  },
]

/** After a failover that lost the commit of a refund that one key has signed, another key signs it again. */
const FAILOVERS: readonly Planted[] = [
  {
    name: 'a refund whose commit was lost signed with another key',
    file: 'workers/relayer/failover.ts',
    find: 'return nextNonce < max(stored.get(address) ?? 0n, mined.get(address) ?? 0n)',
    put: 'return nextNonce < max(stored.get(address) ?? 0n, mined.get(address) ?? 0n) * 0n',
    also: [
      {
        file: 'workers/relayer/failover.ts',
        find: "if (status === 'quarantined' || nonce <= stored) return []",
        put: "if (status === 'quarantined' || nonce >= 0n) return []",
      },
      {
        file: 'workers/refund/lostOrders.ts',
        find: 'if (numbers.size === 0) continue',
        put: 'if (numbers.size >= 0) continue',
      },
    ],
  },
]

const EVENTS: readonly Planted[] = [
  {
    name: 'no delivery to an endpoint that is locked',
    file: 'store/webhook/fanOut.ts',
    find: 'for key share of e ),',
    put: 'for key share of e skip locked ),',
  },
  {
    name: 'a failed delivery counts as made',
    file: 'store/webhook/outcomes.ts',
    find: "retry: 'pending',",
    put: "retry: 'succeeded',",
  },
  {
    name: 'deliveries lost between two statements',
    file: 'store/webhook/fanOut.ts',
    find: 'select endpoint_id, id, type from wanted on conflict (endpoint_id, event_id) do nothing',
    put: `select endpoint_id, id, type from wanted
      where (select count(*) from waiting) < 2 or id <> (select id from waiting order by id desc limit 1)
      on conflict (endpoint_id, event_id) do nothing`,
  },
]

export const PLANTED = [
  ...[...INVOICE_FAULTS, ...RELAYER, ...PAID_REQUESTS, ...REFUNDS, ...FAILOVERS],
  ...EVENTS,
]

/** Those of the table of mutation testing that no run can find: see docs/simulation.md. */
export const UNSEEN: readonly string[] = [
  'the end of the lease not compared',
  'the fence not compared',
  'refunds looked for one confirmation too early',
  'due deliveries out of order',
  'failed deliveries replayed out of order',
  'missed events delivered out of order',
]

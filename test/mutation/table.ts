import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './fault.ts'

/**
 * Faults that no simple operator plants, or that went unnoticed once: each must be killed. `find` is
 * the code as it stands in the file, blanks and line ends being all the same.
 */
export interface Entry {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly put: string
  /** Which one is meant, from 1, where `find` stands in the file several times. */
  readonly occurrence?: { readonly number: number; readonly of: number }
  readonly tests?: readonly string[]
}

const CONFIRMATIONS: readonly Entry[] = [
  {
    name: 'payments, refunds and the confirmed time one confirmation too early',
    file: 'workers/turns/ledgerContext.ts',
    find: 'newestConfirmed(state.head, context.client.chain.confirmations)',
    put: 'newestConfirmed(state.head, context.client.chain.confirmations) + 1n',
  },
  {
    name: 'a payment confirmed one confirmation too early',
    file: 'workers/invoice/projector.ts',
    find: 'const deepest = await confirmedBlock(context)',
    put: 'const deepest = (await confirmedBlock(context)) + 1n',
    tests: ['test/workers/invoice/depth.test.ts'],
  },
  {
    name: 'refunds looked for one confirmation too early',
    file: 'workers/refund/ends.ts',
    find: 'viewOf(context, await confirmedBlock(context))',
    put: 'viewOf(context, (await confirmedBlock(context)) + 1n)',
    tests: ['test/workers/invoice/depth.test.ts'],
  },
  {
    name: 'a payment swept one confirmation too early',
    file: 'store/invoice/plans.ts',
    find: 'newestConfirmed(head, chain.settlementConfirmations)',
    put: 'newestConfirmed(head, chain.settlementConfirmations) + 1n',
  },
  {
    name: 'the confirmed time one block too late',
    file: 'store/chain/state.ts',
    find: '::bigint, s.projected_block)',
    put: '::bigint + 1, s.projected_block)',
  },
  {
    name: 'the block of a payment not compared when it is confirmed',
    file: 'store/invoice/payments.ts',
    find: "and p.status = 'pending' and p.block_hash = g.block_hash",
    put: "and p.status = 'pending'",
  },
]

const X402: readonly Entry[] = [
  {
    name: 'claims of one batch overspend a balance',
    file: 'store/x402/claims.ts',
    find: 'before.amount + own.amount + value > claim.balance',
    put: 'before.amount + value > claim.balance',
  },
  {
    name: 'what is settled since the balance was read is not reserved',
    file: 'store/x402/promises.ts',
    find: 'where w.block > g.block',
    put: 'where w.block = 9223372036854775807',
  },
  {
    name: 'what was settled in a block that is gone is not owed',
    file: 'store/x402/promises.ts',
    find: '.block_number and c.hash <> ',
    put: '.block_number and false and c.hash <> ',
  },
  {
    name: 'what a lost commit may have sent is withdrawn',
    file: 'store/migrations/0390_withdraw_what_was_compared.sql',
    find: 'c.compared_server <> pg_postmaster_start_time()',
    put: 'false',
    tests: ['test/store/x402/withdrawnClaims.test.ts'],
  },
  {
    name: 'another server of the database not compared with the chain',
    file: 'workers/relayer/failover.ts',
    find: 'if (server !== this.server || this.marks()',
    put: 'if (this.marks()',
  },
  {
    name: 'a pending claim made again',
    file: 'store/schema/10_x402.sql',
    find: "where x402_payment.status = 'failed'",
    put: "where x402_payment.status in ('failed', 'pending')",
    tests: ['test/store/x402/claims.test.ts'],
  },
  {
    name: 'a second success granted',
    file: 'store/x402/outcomes.ts',
    find: 'and (answer_until is null or answer_until < clock_timestamp())',
    put: '',
  },
]

const RELAYER: readonly Entry[] = [
  {
    name: 'the end of the lease not compared',
    file: 'store/relayer/keys.ts',
    find: 'and lease_until > clock_timestamp()',
    put: '',
  },
  {
    name: 'the fence not compared',
    file: 'store/relayer/keys.ts',
    find: 'and fence = $',
    put: 'and -1 <> $',
  },
  {
    name: 'a key assigned to, whatever its status',
    file: 'workers/relayer/assign.ts',
    find: "key?.status !== 'active'",
    put: 'key === null',
    tests: ['test/workers/relayer/keys.long.ts'],
  },
  {
    name: 'an unknown answer taken for accepted',
    file: 'workers/relayer/deliver.ts',
    find: "isTakenNow = answer.type === 'accepted' || answer.type === 'nonce_too_low'",
    put: "isTakenNow = ['accepted', 'nonce_too_low', 'unknown'].includes(answer.type)",
    tests: ['test/workers/relayer/sending.long.ts'],
  },
  {
    name: 'a mined sweep becomes failed',
    file: 'store/relayer/transition.ts',
    find: 'const { open, mined, confirmed } = words',
    put: 'const [open, mined, confirmed] = [words.mined, words.mined, words.confirmed]',
  },
]

const WEBHOOKS: readonly Entry[] = [
  {
    name: 'an outcome recorded twice',
    file: 'store/webhook/outcomes.ts',
    find: 'where d.id = g.id and d.attempts = g.number - 1',
    put: 'where d.id = g.id',
  },
  {
    name: 'due deliveries out of order',
    file: 'store/webhook/leases.ts',
    find: 'order by next_attempt_at, event_id limit case',
    put: 'order by next_attempt_at, event_id desc limit case',
  },
  {
    name: 'failed deliveries replayed out of order',
    file: 'store/webhook/replay.ts',
    find: 'order by d.event_id limit',
    put: 'order by d.event_id desc limit',
  },
  {
    name: 'missed events delivered out of order',
    file: 'store/webhook/replay.ts',
    find: 'order by o.position limit',
    put: 'order by o.position desc limit',
  },
]

export const TABLE = [...CONFIRMATIONS, ...X402, ...RELAYER, ...WEBHOOKS]

/**
 * The fault of an entry, as the tree is now.
 * @throws when the file has `find` another number of times than the entry says.
 */
export function faultOf(root: string, entry: Entry): Fault {
  const text = readFileSync(join(root, entry.file), 'utf8')
  const { number, of } = entry.occurrence ?? { number: 1, of: 1 }
  const found = [...text.matchAll(new RegExp(patternOf(entry.find), 'g'))]
  const match = found[number - 1]
  if (match === undefined || found.length !== of) {
    throw new Error(
      `The table of faults expects "${entry.find}" ${of} times in ${entry.file} ` +
        `and finds it ${found.length} times ("${entry.name}").`,
    )
  }
  const { file, name, put, tests } = entry
  const fault = { file, name, find: match[0], put, start: match.index, occurrence: number }
  return tests === undefined ? fault : { ...fault, tests }
}

function patternOf(find: string): string {
  return find.split(/\s+/).map(RegExp.escape).join('\\s+')
}

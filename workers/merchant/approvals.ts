import type { Logger } from 'pino'
import type { Keyring } from '../../core/base/keyring.ts'
import type { Database, Transaction } from '../../store/database/database.ts'
import { proveOwnerEmails } from '../../store/events/ownerEmails.ts'
import {
  carryOut,
  lockApproved,
  memberChanges,
  type RequestToFollow,
  requestsToFollow,
  takeMemberChange,
  verifyRequest,
} from '../../store/merchant/approvalsToFollow.ts'
import {
  type MacedRequest,
  readRequest,
  verifyMacOfRequest,
  verifyMacsOfVotes,
} from '../../store/merchant/requestMacs.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'
import { FORGED, faultOf, NOT_GENUINE } from './genuine.ts'
import { notifyMembership, notifyOwnersDone, notifyOwnersForged } from './notifyOwners.ts'

/** As things that may be quarantined. */
const REQUEST = 'approval request'
const MEMBERSHIP = 'changed membership'
const PER_TURN = 100
const ROLE_ENDED = 'the end of the role of a requester or approver'

type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** What this needs of a leader. */
export interface ApprovalTerms {
  readonly secretKeys: Keyring
  readonly recipientDelayS: number
}

interface Parts {
  readonly database: Database
  readonly config: ApprovalTerms
  readonly work: Pick<LedgerContext['work'], 'others'>
}

/**
 * Verifies the requests and votes that the API has stored, carries out what is approved, and notifies the
 * owners of that and of changed memberships. A request concerns every chain, and the leader of any of them may
 * be first.
 */
export async function followApprovals(
  { database, config, work }: Parts,
  log: Log,
): Promise<Progress> {
  // Past changes are notified before new ones are carried out.
  const notified = await notifyMembers({ database, config, work })
  const requests = await requestsToFollow(database, work.others.waiting(REQUEST), PER_TURN)
  const followed = await work.others.each(
    REQUEST,
    requests,
    ({ id }) => String(id),
    async (request) => {
      const came = await database.begin((sql) => follow(sql, config, request, log))
      return { came, merchantId: request.merchantId }
    },
  )
  const forged = followed.filter(({ came }) => came === 'forged')
  for (const merchantId of new Set(forged.map((one) => String(one.merchantId)))) {
    // They are over; an operator has to find out how they got there.
    work.others.put(FORGED, merchantId, new Error(NOT_GENUINE))
  }
  const { reopened } = await proveOwnerEmails(database, config.secretKeys)
  if (reopened > 0) log.error({ reopened }, 'emails to owners were marked as sent without the key')
  const changed = followed.filter(({ came }) => came !== 'nothing').length + notified
  return { changed, isFull: requests.length === PER_TURN }
}

async function notifyMembers({ database, config, work }: Parts): Promise<number> {
  const changes = await memberChanges(database, work.others.waiting(MEMBERSHIP), PER_TURN)
  const notified = await work.others.each(MEMBERSHIP, changes, String, (id) =>
    database.begin(async (sql) => {
      const change = await takeMemberChange(sql, id)
      if (change === null) return
      await notifyMembership(sql, change.merchantId, change, config.recipientDelayS)
    }),
  )
  return notified.length
}

/** What came of a request: nothing where another leader has followed it, or it has to wait. */
type Came = 'followed' | 'forged' | 'nothing'

/** Does the next thing about a request. */
async function follow(
  sql: Transaction,
  { secretKeys, recipientDelayS }: ApprovalTerms,
  { id, state }: RequestToFollow,
  log: Log,
): Promise<Came> {
  const request = await readRequest(sql, id)
  if (request === null) return 'nothing'
  const fault = faultOf(verifyMacOfRequest(secretKeys, request))
  if (fault !== null) return await endForged(sql, request, fault, recipientDelayS, log)
  if (state === 'open') return await close(sql, request, null)
  const counted = await lockApproved(sql, request)
  if (counted === null) return 'nothing'
  const votes = await verifyMacsOfVotes(sql, secretKeys, request)
  const faults = votes.map(faultOf)
  const wrong = faults.find((one) => one !== null) ?? null
  if (wrong !== null) return await endForged(sql, request, wrong, recipientDelayS, log)
  if (counted.length < request.needed) return await close(sql, request, ROLE_ENDED)
  const done = await carryOut(sql, id, recipientDelayS)
  if (done !== null) await notifyOwnersDone(sql, request, done.approvedBy, recipientDelayS)
  return 'followed'
}

async function close(
  sql: Transaction,
  request: MacedRequest,
  reason: string | null,
): Promise<Came> {
  return (await verifyRequest(sql, request, reason)) ? 'followed' : 'nothing'
}

async function endForged(
  sql: Transaction,
  request: MacedRequest,
  reason: string,
  sinceS: number,
  log: Log,
): Promise<Came> {
  const { id, merchantId, kind } = request
  if (!(await verifyRequest(sql, request, reason))) return 'nothing'
  log.error(
    { requestId: id, merchantId, kind },
    'a request or vote that the API has not made is ended',
  )
  await notifyOwnersForged(sql, merchantId, sinceS)
  return 'forged'
}

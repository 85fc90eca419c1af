import { expect } from 'bun:test'
import { type Log, toEventSelector } from 'viem'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import type { Database } from '../../../store/database/database.ts'
import type { HubChain } from '../servers/chain.ts'
import { eventually } from '../servers/devStack.ts'
import type { SettleJson, Shop } from './stack.ts'

/** What callers were told of payments, held against what the chain and the ledger say in the end. */

/** A payment and all that its caller heard. */
export interface Told {
  readonly authorization: Authorization
  readonly answers: readonly SettleJson[]
  /** Calls without an answer: connections that broke, and statuses of 500 and above. */
  readonly unanswered: number
}

/** What may be heard of a payment that is made all the same. */
const NON_COMMITTAL = ['settlement_pending', 'duplicate_settlement']

/** Settles as `askWithRetries` does, and says which authorization it was about. */
export async function settleWithRetries(
  settle: () => Promise<SettleJson>,
  authorization: Authorization,
): Promise<Told> {
  return { authorization, ...(await askWithRetries(settle)) }
}

/**
 * Settles as stock clients do that mean to pay: without an answer, or while the outcome is open, they
 * call again with the same bytes. They give up after five minutes, however slow the machine is.
 */
export async function askWithRetries(
  settle: () => Promise<SettleJson>,
): Promise<Omit<Told, 'authorization'>> {
  const answers: SettleJson[] = []
  let unanswered = 0
  const until = performance.now() + 300_000
  while (performance.now() < until) {
    try {
      const answer = await settle()
      answers.push(answer)
      if (answer.error !== 'settlement_pending') break
    } catch {
      unanswered += 1
      // No answer: the party that means to pay asks again, after a moment.
      await Bun.sleep(100 + Math.random() * 200)
    }
  }
  return { answers, unanswered }
}

/** Runs all of these, so many at a time. */
export async function inParallel<T>(
  works: readonly (() => Promise<T>)[],
  atATime: number,
): Promise<T[]> {
  const results: T[] = []
  const left = works.entries()
  const worker = async () => {
    for (const [i, work] of left) results[i] = await work()
  }
  await Promise.all(Array.from({ length: atATime }, worker))
  return results
}

export interface PaidOnChain {
  readonly to: Address
  readonly value: bigint
  readonly txHash: Hex
  readonly logIndex: number
}

const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** Every transfer by authorization on this chain, by payer and authorization nonce. */
export async function paidOnChain({
  client,
  usdc,
}: HubChain): Promise<ReadonlyMap<string, readonly PaidOnChain[]>> {
  const logs = await client.getLogs({ address: usdc.address, fromBlock: 0n, toBlock: 'latest' })
  const byPlace = new Map(logs.map((log) => [placeOf(log, 0), log]))
  const paid = new Map<string, PaidOnChain[]>()
  for (const log of logs) {
    const [event, payer = '', nonce = ''] = log.topics
    if (event !== AUTHORIZATION_USED) continue
    const moved = byPlace.get(placeOf(log, 1))
    const [next, from, to = ''] = moved?.topics ?? []
    if (moved === undefined || next !== TRANSFER || from !== payer) continue
    const key = `${addressIn(payer)} ${nonce}`
    const payment: PaidOnChain = {
      to: addressIn(to),
      value: BigInt(moved.data),
      txHash: moved.transactionHash,
      logIndex: moved.logIndex,
    }
    paid.set(key, [...(paid.get(key) ?? []), payment])
  }
  return paid
}

export interface Tally {
  readonly settled: number
  readonly refused: Readonly<Record<string, number>>
  readonly duplicates: number
  readonly open: number
  readonly unanswered: number
  /** Transactions of ours that came to nothing. */
  readonly reverted: number
}

/**
 * Every payment was made once or not at all, its callers heard nothing that the chain contradicts, and
 * at most one success each; the ledger says the same. The answer counts what callers heard last.
 */
export async function expectTruth(
  { chain, database }: { readonly chain: HubChain; readonly database: Database },
  told: readonly Told[],
): Promise<Tally> {
  const paid = await paidOnChain(chain)
  const rows = await database<{ key: string; status: string; txHash: string | null }[]>`
    select payer || ' ' || authorization_nonce as key, status, tx_hash from x402_payment`
  const ledger = new Map(rows.map((row) => [row.key, row]))
  const refused: Record<string, number> = {}
  let [settled, duplicates, open, unanswered] = [0, 0, 0, 0]
  for (const { authorization, answers, unanswered: calls } of told) {
    const key = `${authorization.from} ${authorization.nonce}`
    const payments = paid.get(key) ?? []
    const [payment] = payments
    const row = ledger.get(key)
    const about = { key, answers, payments, row }
    const successes = answers.filter(({ success }) => success)
    const last = answers.at(-1)
    if (payments.length > 1 || successes.length > 1) throw contradiction(about)
    const isRight = payment?.to === authorization.to && payment.value === authorization.value
    if (payment && !isRight) throw contradiction(about)
    if ((row?.status === 'settled') !== isRight) throw contradiction(about)
    if (row?.status === 'settled' && row.txHash !== payment?.txHash) throw contradiction(about)
    if (successes[0] && successes[0].transaction !== payment?.txHash) throw contradiction(about)
    const noes = answers.filter(({ error }) => error && !NON_COMMITTAL.includes(error))
    if (noes.length > 0 && payment) throw contradiction(about)
    unanswered += calls
    if (last?.success) settled += 1
    else if (last?.error === 'duplicate_settlement') duplicates += 1
    else if (last === undefined || last.error === 'settlement_pending') open += 1
    else refused[last.error ?? ''] = (refused[last.error ?? ''] ?? 0) + 1
  }
  const [row] = await database<{ reverted: number }[]>`
    select count(*)::integer as reverted from relayer_tx where outcome = 'reverted'`
  return { settled, refused, duplicates, open, unanswered, reverted: row?.reverted ?? 0 }
}

function contradiction(about: object): Error {
  return new Error(`what was said and what happened disagree: ${JSON.stringify(about, asText, 1)}`)
}

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

/** Waits until every payment is confirmed or failed, and every settled one is booked as paid out. */
export async function untilAtRest(database: Database, timeoutMs: number): Promise<void> {
  await eventually(
    async () => {
      const [row] = await database`
        select count(*) filter (where status = 'pending')::integer as pending,
          count(*) filter (where status = 'settled' and confirmed_at is null)::integer as unconfirmed,
          count(*) filter (where status = 'settled' and fee is null)::integer as unbooked
        from x402_payment`
      return { ...row }
    },
    ({ pending, unconfirmed, unbooked }) => pending + unconfirmed + unbooked === 0,
    timeoutMs,
  )
}

/**
 * Of all that payers held nothing is lost: they hold what they did not pay, and what they paid is with
 * forwarder, treasury and collector, who share it as the ledger says. `minted` is in base units.
 */
export async function expectBalanced(
  { chain, database }: { readonly chain: HubChain; readonly database: Database },
  payers: readonly { readonly address: string; readonly minted: bigint }[],
  shops: readonly Shop[],
): Promise<void> {
  const sums = await database<{ payer: string; paid: string }[]>`
    select payer, sum(amount) as paid from x402_payment where status = 'settled' group by payer`
  const paidBy = new Map(sums.map(({ payer, paid }) => [payer, BigInt(paid)]))
  let total = 0n
  for (const { address, minted } of payers) {
    const paid = paidBy.get(address.toLowerCase()) ?? 0n
    total += paid
    expect(await chain.balance(lowerCaseAddress(address))).toBe(minted - paid)
  }
  let [held, remitted] = [0n, 0n]
  for (const { forwarder, recipient } of shops) {
    held += await chain.balance(forwarder)
    if (recipient !== null) remitted += await chain.balance(recipient)
  }
  const [booked] = await database<{ remitted: string; fees: string; shares: string }[]>`
    select coalesce(sum(remitted), 0) as remitted, coalesce(sum(fee), 0) as fees,
      (select coalesce(sum(fee), 0) from x402_payment) as shares from x402_distribution`
  const collected = await chain.balance(chain.collector)
  expect({ remitted, collected }).toEqual({
    remitted: BigInt(booked?.remitted ?? 0),
    collected: BigInt(booked?.fees ?? 0),
  })
  expect(collected).toBe(BigInt(booked?.shares ?? 0))
  expect(held + remitted + collected).toBe(total)
}

function placeOf({ blockHash, logIndex }: Log<bigint, number, false>, further: number): string {
  return `${blockHash} ${logIndex + further}`
}

function addressIn(topic: string): Address {
  return lowerCaseAddress(`0x${topic.slice(-40)}`)
}

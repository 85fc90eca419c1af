import { BaseError, type PublicClient } from 'viem'
import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { addressWord, bytesIn, bytesTail, integerWord } from '../../core/chain/words.ts'
import { authorizationDigest, tokenDomain } from '../../core/x402/digest.ts'
import type { Facts, Trial } from '../../core/x402/facts.ts'
import { isTooEarly } from '../../core/x402/request/checks.ts'
import { type EcdsaSignature, parseSignature } from '../../core/x402/signature.ts'
import type { Authorization } from '../../core/x402/terms.ts'
import { queryNewest } from '../blocks/newest.ts'
import { isAgreedByWallet } from '../blocks/wallet.ts'
import { committedInitCode } from '../hub/artifact.ts'
import { explainRevert } from '../hub/errors.ts'
import type { ChainClient } from '../rpc/client.ts'
import { AnswerReader } from './answer.ts'
import { encodeAuthorization } from './settlement.ts'
import { callAs, type FactsOptions, type TrialSender } from './trial.ts'

/**
 * What a chain knows of authorizations, and what would happen if they were carried out now. One eth_call
 * answers for many: it "deploys" AuthorizationLens, whose constructor reads, tries every transfer, reverts it,
 * and returns the result instead of its code. See contracts/src.
 */

export interface FactsQuery {
  readonly token: Address
  readonly authorization: Authorization
  /** As it would be sent to the token: an ERC-6492 signature without its wrapping. */
  readonly signature: Hex
  /** The gas that the trial gets if the payer has code. */
  readonly walletGas: bigint
  /** The call that creates the payer's code before the trial (ERC-6492). */
  readonly preparation: { readonly to: Address; readonly data: Hex } | null
  /**
   * Whether the transfer of a payer without code is tried as well. Without that, the caller must know that the
   * signature is valid; it costs a node a third.
   */
  readonly isTried: boolean
}

const LENS = await committedInitCode('AuthorizationLens')

/** EIP-3860, and of it the lens' own code and the head of its argument. */
const INIT_CODE_MAX = 49_152
const ROOM = INIT_CODE_MAX - bytesIn(LENS.slice(2)) - 64
/** So that the answer stays far below the 24,576 bytes of EIP-170. */
const QUERIES_MAX = 64
/** What one call may use if all its wallets burn what they are given; nodes allow 25,000,000 and more. */
const GAS_MAX = 16_000_000n
const PLAIN_GAS = 110_000n
const PREPARATION_GAS = 1_600_000n

/** A query as the lens reads it. */
interface Encoded {
  readonly index: number
  /** The struct in the ABI, as digits. */
  readonly struct: string
  readonly gas: bigint
  /** Its signature is not in it, because it would not fit into a call. */
  readonly isTooLong: boolean
}

/**
 * Reads the facts of many authorizations, in their order: after the view's block, or without one each
 * call's worth at the newest block, which is never below one that was seen a moment ago. No token, payer or
 * signature can spoil the answer for others. Transfers are tried as if the sender sent them, which makes a
 * difference to payers with code only. Throws a BaseError when the node doesn't answer as it should.
 */
export async function readFacts(
  client: PublicClient,
  queries: readonly FactsQuery[],
  how: FactsOptions = {},
): Promise<Facts[]> {
  const calls = callsOf(queries.map(encodeQuery))
  const answers = await Promise.all(calls.map((call) => callLens(client, call, how)))
  return answers
    .flat()
    .sort((a, b) => a.index - b.index)
    .map(({ facts }) => facts)
}

/**
 * The facts with the trial at another time than that of the newest block, in Unix seconds. Where the node takes no
 * other time, "not yet valid" decides nothing: the payer's wallet alone verifies the signature.
 */
export async function readFactsAt(
  client: ChainClient,
  query: FactsQuery,
  sender: TrialSender | null,
  time: bigint,
): Promise<Facts> {
  const [facts] = await readFacts(client.rpc, [query], { sender, time })
  if (facts === undefined) throw new Error('the node answered nothing')
  const { trial, payerCodeHash } = facts
  const isUndecided = trial.ok === false && isTooEarly(trial.error)
  // A wallet that is still to be created can't be called.
  if (!isUndecided || payerCodeHash === null || query.preparation !== null) return facts
  return { ...facts, trial: await callWallet(client, query, trial) }
}

async function callWallet(
  { chain, rpc }: ChainClient,
  { token, authorization, signature }: FactsQuery,
  trial: Trial,
): Promise<Trial> {
  const domain = tokenDomain(chain, token)
  if (domain === null) return trial
  const hash = `0x${authorizationDigest(domain, authorization).toHex()}` as const
  const isAgreed = await isAgreedByWallet(rpc, authorization.from, hash, signature)
  return isAgreed ? { ok: null } : { ok: false, error: 'the wallet does not agree' }
}

/** Shares queries out to calls, none of which is too long, too large or too costly. */
function callsOf(queries: readonly Encoded[]): Encoded[][] {
  const calls: Encoded[][] = []
  let call: Encoded[] = []
  let bytes = 0
  let gas = 0n
  for (const query of queries) {
    bytes += bytesIn(query.struct) + 32
    gas += query.gas
    if (call.length === QUERIES_MAX || bytes > ROOM || gas > GAS_MAX) {
      if (call.length > 0) calls.push(call)
      call = []
      bytes = bytesIn(query.struct) + 32
      gas = query.gas
    }
    call.push(query)
  }
  if (call.length > 0) calls.push(call)
  return calls
}

function encodeQuery(query: FactsQuery, index: number): Encoded {
  const parts = parseSignature(query.signature)
  const struct = structOf(query, parts)
  const isTooLong = bytesIn(struct) + 32 > ROOM
  return {
    index,
    struct: isTooLong ? structOf({ ...query, signature: '0x', preparation: null }, null) : struct,
    gas: gasOf(query, parts !== null),
    isTooLong,
  }
}

/** What the lens may use for a query, as far as that is known before the payer's code. */
function gasOf({ walletGas, preparation }: FactsQuery, isPlain: boolean): bigint {
  if (preparation !== null) return PREPARATION_GAS + walletGas
  return isPlain ? PLAIN_GAS : PLAIN_GAS + walletGas
}

/**
 * AuthorizationLens.Query. A payer without code is tried with (v, r, s), a wallet with the bytes as
 * they came; to the token both are the same if the bytes are r, s and v, and are sent once then.
 */
function structOf(query: FactsQuery, parts: EcdsaSignature | null): string {
  const { token, authorization, signature, walletGas, preparation, isTried } = query
  const isSame = parts === null || signature === `${parts.r}${parts.s.slice(2)}${byte(parts.v)}`
  const call = bytesTail(encodeAuthorization({ authorization, signature: parts ?? signature }))
  const walletCall = bytesTail(isSame ? '0x' : encodeAuthorization({ authorization, signature }))
  const prepared = bytesTail(preparation?.data ?? '0x')
  const head = 7 * 32
  return [
    addressWord(token),
    integerWord(head),
    integerWord(head + bytesIn(call)),
    integerWord(walletGas),
    addressWord(preparation?.to ?? ZERO_ADDRESS),
    integerWord(head + bytesIn(call) + bytesIn(walletCall)),
    integerWord(isTried ? 1 : 0),
    call,
    walletCall,
    prepared,
  ].join('')
}

interface Answer {
  readonly index: number
  readonly facts: Facts
}

/** Sends one call; where its gas ran out before the last trial, another one for the rest. */
async function callLens(
  client: PublicClient,
  queries: readonly Encoded[],
  how: FactsOptions,
): Promise<Answer[]> {
  const data: Hex = `${LENS}${integerWord(32)}${arrayOf(queries)}`
  const send = () => callAs(client, data, how)
  const answer = how.view === undefined ? await queryNewest(client, send, blockOf) : await send()
  const reader = new AnswerReader(answer)
  const [blockNumber, blockTime] = [reader.integer(32), reader.integer(32)]
  const answers = queries.map((query) => {
    const { trial, ...facts } = readOne(reader)
    const outcome = query.isTooLong ? TOO_LONG : trial
    return { query, facts: { blockNumber, blockTime, ...facts }, trial: outcome }
  })
  reader.end()
  return Promise.all(
    answers.map(async ({ query, facts, trial }): Promise<Answer> => {
      if (trial !== null) return { index: query.index, facts: { ...facts, trial } }
      const [alone] = queries.length > 1 ? await callLens(client, [query], how) : []
      if (alone === undefined) throw new BaseError('the node gives an eth_call too little gas')
      return alone
    }),
  )
}

/** The block that an answer is about, which is its first word. */
function blockOf(answer: Hex): bigint | null {
  return answer.length < 66 ? null : BigInt(answer.slice(0, 66))
}

const TOO_LONG: Trial = { ok: false, error: 'the signature is too long to be tried' }

/** The structs as an array of the ABI: length, offsets, elements. */
function arrayOf(queries: readonly Encoded[]): string {
  let offset = queries.length * 32
  const offsets = queries.map(({ struct }) => {
    const own = integerWord(offset)
    offset += bytesIn(struct)
    return own
  })
  return [integerWord(queries.length), ...offsets, ...queries.map(({ struct }) => struct)].join('')
}

type OneAnswer = Omit<Facts, 'blockNumber' | 'blockTime' | 'trial'> & {
  /** Null when there was no gas left to make it. */
  readonly trial: Trial | null
}

/** One query's part of the answer, as AuthorizationLens packs it. */
function readOne(reader: AnswerReader): OneAnswer {
  const balance = reader.integer(32)
  const gas = reader.integer(8)
  const payerCodeHash = codeHash(reader.digits(8))
  const tokenHasCode = reader.flag() === true
  const isUsed = reader.flag() === true
  const [isPayerBlacklisted, isPayeeBlacklisted] = [reader.flag(), reader.flag()]
  const [isPaused, succeeded] = [reader.flag(), reader.integer(1)]
  const reason: Hex = `0x${reader.digits(Number(reader.integer(2)))}`
  const read = { balance, isUsed, payerCodeHash, tokenHasCode }
  const flags = { isPayerBlacklisted, isPayeeBlacklisted, isPaused }
  return { ...read, ...flags, trial: trialOf(tokenHasCode, succeeded, gas, reason) }
}

function codeHash(digits: string): Hex | null {
  return /^0+$/.test(digits) ? null : `0x${digits}`
}

/** As AuthorizationLens numbers them. */
const [SUCCEEDED, NO_GAS_LEFT, NOT_TRIED] = [1n, 2n, 3n]

function trialOf(tokenHasCode: boolean, outcome: bigint, gas: bigint, reason: Hex): Trial | null {
  if (!tokenHasCode) return { ok: false, error: "there is no contract at the token's address" }
  if (outcome === NO_GAS_LEFT) return null
  if (outcome === NOT_TRIED) return { ok: null }
  return outcome === SUCCEEDED ? { ok: true, gas } : { ok: false, error: explainRevert(reason) }
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

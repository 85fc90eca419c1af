import { BaseError, type PublicClient } from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { addressWord, bytesIn, bytesTail, bytesWord, integerWord } from '../../core/chain/words.ts'
import type { Trial } from '../../core/x402/facts.ts'
import type { PermitFacts } from '../../core/x402/request/permitChecks.ts'
import { queryNewest } from '../blocks/newest.ts'
import { committedInitCode } from '../hub/artifact.ts'
import { AnswerReader } from './answer.ts'
import { callAs, type FactsOptions } from './trial.ts'

/**
 * What a chain knows of payments by Permit2. One eth_call answers for many: it "deploys" PermitLens, whose
 * constructor reads and answers instead of its code. See contracts/src.
 */

export interface PermitQuery {
  readonly token: Address
  readonly payer: Address
  readonly payee: Address
  readonly spender: Address
  readonly nonce: bigint
  /** What the payer signed. */
  readonly digest: Hex
  /** As it would be sent, for a payer with code. */
  readonly signature: Hex
  /** The gas that the payer's code gets for its ERC-1271 check. */
  readonly walletGas: bigint
}

const LENS = await committedInitCode('PermitLens')

/** EIP-3860, and of it the lens' own code and the head of its argument. */
const INIT_CODE_MAX = 49_152
const ROOM = INIT_CODE_MAX - bytesIn(LENS.slice(2)) - 64
const QUERIES_MAX = 64
/** What one call may use if all its wallets burn what they are given; nodes allow 25,000,000 and more. */
const GAS_MAX = 16_000_000n
const PLAIN_GAS = 90_000n

/**
 * Reads the facts of many payments, in their order: after the view's block, or without one at the newest.
 * Throws a BaseError when the node doesn't answer as it should.
 */
export async function readPermitFacts(
  client: PublicClient,
  queries: readonly PermitQuery[],
  how: FactsOptions = {},
): Promise<PermitFacts[]> {
  const answers = await Promise.all(callsOf(queries).map((call) => callLens(client, call, how)))
  return answers.flat()
}

/** Shares queries out to calls, none of which is too long, too large or too costly; their order stays. */
function callsOf(queries: readonly PermitQuery[]): PermitQuery[][] {
  const calls: PermitQuery[][] = []
  let [bytes, gas] = [0, 0n]
  for (const query of queries) {
    const [more, burnt] = [bytesIn(structOf(query)) + 32, gasOf(query)]
    const call = calls.at(-1)
    const isFull = call?.length === QUERIES_MAX || bytes + more > ROOM || gas + burnt > GAS_MAX
    if (call === undefined || isFull) {
      calls.push([query])
      ;[bytes, gas] = [more, burnt]
    } else {
      call.push(query)
      bytes += more
      gas += burnt
    }
  }
  return calls
}

/** A signature of a key has 64 or 65 bytes, and a payer who has code all the same is seldom one of many. */
function gasOf({ signature, walletGas }: PermitQuery): bigint {
  return PLAIN_GAS + (bytesIn(signature.slice(2)) > 65 ? walletGas : walletGas / 16n)
}

function structOf(query: PermitQuery): string {
  const { token, payer, payee, spender, nonce, digest, signature, walletGas } = query
  return [
    addressWord(token),
    addressWord(payer),
    addressWord(payee),
    addressWord(spender),
    integerWord(nonce),
    bytesWord(digest),
    integerWord(8 * 32),
    integerWord(walletGas),
    bytesTail(signature),
  ].join('')
}

/** Sends one call; where its gas ran out before a wallet was called, another one for that wallet alone. */
async function callLens(
  client: PublicClient,
  queries: readonly PermitQuery[],
  how: FactsOptions,
): Promise<PermitFacts[]> {
  const data: Hex = `${LENS}${integerWord(32)}${arrayOf(queries.map(structOf))}`
  const send = () => callAs(client, data, how)
  const answer = how.view === undefined ? await queryNewest(client, send, blockOf) : await send()
  const reader = new AnswerReader(answer)
  const [blockNumber, blockTime] = [reader.integer(32), reader.integer(32)]
  const read = queries.map((query) => ({ query, ...readOne(reader) }))
  reader.end()
  return Promise.all(
    read.map(async ({ query, trial, ...facts }) => {
      if (trial !== null) return { blockNumber, blockTime, ...facts, trial }
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

/** The structs as an array of the ABI: length, offsets, elements. */
function arrayOf(structs: readonly string[]): string {
  let offset = structs.length * 32
  const offsets = structs.map((struct) => {
    const own = integerWord(offset)
    offset += bytesIn(struct)
    return own
  })
  return [integerWord(structs.length), ...offsets, ...structs].join('')
}

/** As PermitLens numbers them. */
const [IS_SIGNED, NO_GAS_LEFT, HAS_NO_CODE] = [1n, 2n, 3n]

/** One query's part of the answer, as PermitLens packs it. */
function readOne(reader: AnswerReader) {
  const [balance, allowance] = [reader.integer(32), reader.integer(32)]
  const approvalNonce = reader.integer(32)
  const codeDigits = reader.digits(8)
  const payerCodeHash: Hex | null = /^0+$/.test(codeDigits) ? null : `0x${codeDigits}`
  const [tokenHasCode, isDeployed] = [reader.flag() === true, reader.flag() === true]
  // What can't be read is not there, as `isDeployed` shows.
  const isUsed = reader.flag() === true
  const [isPayerBlacklisted, isPayeeBlacklisted] = [reader.flag(), reader.flag()]
  const isPaused = reader.flag()
  const trial = trialOf(reader.integer(1))
  const read = { balance, allowance, approvalNonce, payerCodeHash, tokenHasCode, isDeployed }
  return { ...read, isUsed, isPayerBlacklisted, isPayeeBlacklisted, isPaused, trial }
}

/**
 * Whether a wallet accepts the signature; a key's signature is recovered from its digest. Null without gas for
 * the call.
 */
function trialOf(signed: bigint): Trial | null {
  if (signed === NO_GAS_LEFT) return null
  if (signed === HAS_NO_CODE || signed === IS_SIGNED) return { ok: null }
  return { ok: false, error: 'the wallet does not take the signature (ERC-1271)' }
}

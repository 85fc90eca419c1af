import { encodeFunctionData, parseAbi, parseSignature } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import { signAuthorization } from '../../support/x402/authorizations.ts'
import type { Process } from '../kernel.ts'
import { LITTLE, PAYER_ACCOUNTS } from '../keys.ts'
import type { World } from '../world.ts'
import { insist } from './callers.ts'
import { demandOf, SENT, type Signature } from './doors.ts'
import { endInvoice, type Opened, openInvoice, pause } from './invoices.ts'
import { payRequestFrom } from './paidRequests.ts'
import type { Door, Records, SignedAnswer, SignedRecord } from './records.ts'
import { giveBack } from './refunds.ts'
import { sendCall, sendTokens } from './wallets.ts'

/** What payers do who pay invoices by signature: on the checkout page, or as clients of x402. */

const WAYS = [
  'signed',
  'signed',
  'signed late',
  'signed twice',
  'signed and sent',
  'signed and ended',
  'raced',
  'raced',
  'copied',
  'copied',
] as const

const DOORS: readonly Door[] = ['signature', 'x402']

/** An invoice from its creation until what was signed for it is decided. */
export async function paySigned(world: World, actor: Process, records: Records): Promise<void> {
  const { random } = actor
  const way = random.pick(WAYS)
  const expiresMs = way === 'signed late' ? random.between(20_000, 35_000) : 1_200_000
  const amount = BigInt(random.between(100, 5_000)) * 10_000n
  const payer = random.pick(PAYER_ACCOUNTS)
  const opened = await openInvoice(world, actor, records, { way, expiresMs, amount, payer })
  if (opened === null) return
  const { record } = opened
  const sign = (by = payer, door = random.pick(DOORS)) =>
    payBySignature(world, actor, records, opened, { payer: by, door })
  await Bun.sleep(
    way === 'signed late' ? expiresMs - random.between(1_000, 18_000) : random.between(100, 10_000),
  )
  switch (way) {
    case 'raced':
      await Promise.all(several(actor, () => sign(random.pick(PAYER_ACCOUNTS))))
      break
    case 'signed twice':
      await Promise.all([
        sign(payer, 'signature'),
        pause(actor).then(() => sign(payer, 'signature')),
      ])
      break
    case 'signed and sent': {
      const sending = pause(actor).then(() => sendPart(world, actor, opened))
      const [, hash] = await Promise.all([sign(), sending])
      await giveBack(world, actor, record, payer, [hash])
      break
    }
    case 'signed and ended':
      await Promise.all([sign(), pause(actor).then(() => endInvoice(world, actor, record))])
      break
    default:
      await sign()
  }
  await seePayments(world, actor, opened)
}

/** Two to four at once. */
function several<T>({ random }: Process, begin: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: random.between(2, 4) }, begin)
}

/** Several payments at once of a payer who can afford one or two of them, and perhaps more after those. */
export async function payFromLittle(world: World, actor: Process, records: Records): Promise<void> {
  const payer = records.poor.pop()
  if (payer === undefined) return paySigned(world, actor, records)
  const { random } = actor
  const some = () => (LITTLE * BigInt(random.between(30, 95))) / 100n
  const invoice = async () => {
    const wanted = { way: 'signed', expiresMs: 1_200_000, amount: some(), payer }
    const opened = await openInvoice(world, actor, records, wanted)
    if (opened === null) return
    await payBySignature(world, actor, records, opened, { payer, door: random.pick(DOORS) })
  }
  const request = () => payRequestFrom(world, actor, records, payer, some())
  const pay = random.pick([invoice, request, () => (random.isLikely(0.5) ? invoice() : request())])
  await Promise.all(several(actor, pay))
  while (random.isLikely(0.5)) await pay()
}

/** The whole amount or a part of it, from the same payer. */
async function sendPart(world: World, actor: Process, { record }: Opened): Promise<Hex> {
  const part = (record.amount * BigInt(actor.random.between(30, 100))) / 100n
  const hash = await sendTokens(world, actor, record.payer, record.deposit, part)
  world.count('transfers')
  return hash
}

interface Signing {
  readonly payer: PrivateKeyAccount
  readonly door: Door
}

/** How often a payer signs who was told that nothing was begun. */
const SIGNATURES = 3

/** Signs what is due, or was due a moment ago, and sends it until it is decided. */
async function payBySignature(
  world: World,
  actor: Process,
  records: Records,
  { record, session }: Opened,
  { payer, door }: Signing,
): Promise<void> {
  const { random } = actor
  for (let signatures = 0; signatures < SIGNATURES; signatures += 1) {
    const demanded = random.isLikely(0.5) ? null : await demandOf(world, actor, session, door)
    if (demanded === 'nothing') return
    const nowS = BigInt(Math.floor(Date.now() / 1_000))
    const endS = demanded?.expiresAt ?? nowS + 290n
    const authorization: Authorization = {
      ...{ from: lowerCaseAddress(payer.address), to: record.deposit },
      ...{ value: demanded?.value ?? record.amount, validAfter: 0n },
      validBefore: endS + 1n < nowS + 290n ? endS + 1n : nowS + 290n,
      nonce: random.hex(32),
    }
    const signature = await signAuthorization(world.chain.hub, payer, authorization)
    const { from, nonce } = authorization
    const isCopied = record.way === 'copied' || random.isLikely(0.05)
    const answers: SignedAnswer[] = []
    const signed: SignedRecord = { invoice: record, door, payer: from, nonce, isCopied, answers }
    records.signed.push(signed)
    world.count('signatures')
    const send = () => untilDecided(world, actor, session, signed, { authorization, signature })
    const copy = () => pause(actor).then(() => carryOut(world, actor, authorization, signature))
    // Some pages send what was signed twice.
    const senders = random.isLikely(0.2) ? [send(), send()] : [send()]
    await Promise.all([...senders, ...(isCopied ? [copy()] : [])])
    if (isCopied || answers.at(-1)?.reason !== NOTHING_BEGUN) return
  }
}

const NOTHING_BEGUN = 'unexpected_settle_error'

/** Sends what was signed until its outcome is not open any more. */
async function untilDecided(
  world: World,
  actor: Process,
  session: string,
  { door, answers }: SignedRecord,
  signed: Signature,
): Promise<void> {
  const send = SENT[door]
  for (let tries = 0; tries < 250; tries += 1) {
    const answer = await send(world, actor, session, signed)
    answers.push(answer)
    if (answer.type !== 'pending') return
    await Bun.sleep(actor.random.between(1_000, 4_000))
  }
}

const TOKEN = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])

/** Another sender carries out what it has seen. */
async function carryOut(
  world: World,
  actor: Process,
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
  signature: Hex,
): Promise<void> {
  const { r, s, yParity } = parseSignature(signature)
  const data = encodeFunctionData({
    ...{ abi: TOKEN, functionName: 'transferWithAuthorization' },
    args: [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s],
  })
  const by = actor.random.pick(PAYER_ACCOUNTS)
  await sendCall(world, actor, by, { to: world.chain.hub.usdc.address, data, gas: 200_000n })
  world.count('copies')
}

const LOOKS = 7

/** The merchant looks until it sees all payments confirmed, or has no more patience. */
async function seePayments(world: World, actor: Process, { record }: Opened): Promise<void> {
  const { id, merchant, shown, seen } = record
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const { json } = await insist(world, actor, 'GET', `/v1/invoices/${id}`, { key: merchant.key })
    const { status, transactions } = Object(Object(json).data)
    seen.push(String(status))
    const list: unknown[] = Array.isArray(transactions) ? transactions : []
    const payments = list.map(Object).filter(({ method }) => method !== undefined)
    if (payments.length > 0 && payments.every((one) => one.status === 'confirmed')) {
      for (const { txHash, from, method } of payments)
        shown.push({
          hash: String(txHash),
          payer: String(from).toLowerCase(),
          method: String(method),
        })
      return
    }
    await Bun.sleep(actor.random.between(3_000, 6_000))
  }
}

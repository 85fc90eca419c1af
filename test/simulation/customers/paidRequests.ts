import type { PrivateKeyAccount } from 'viem/accounts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { signAuthorization } from '../../support/x402/authorizations.ts'
import type { Process } from '../kernel.ts'
import { PAYER_ACCOUNTS } from '../keys.ts'
import type { World } from '../world.ts'
import { insist } from './callers.ts'
import type { Records, RequestRecord } from './records.ts'
import { giveBackPaid } from './refunds.ts'

/** What payers of x402 do. */

/** A paid request of a payer who can afford it. */
export function payRequest(world: World, actor: Process, records: Records): Promise<void> {
  const { random } = actor
  const payer = random.pick(PAYER_ACCOUNTS)
  return payRequestFrom(world, actor, records, payer, BigInt(random.between(1, 100)) * 1_000n)
}

/** A paid request: signed, settled, and asked for again while its outcome is open. */
export async function payRequestFrom(
  world: World,
  actor: Process,
  records: Records,
  payer: PrivateKeyAccount,
  value: bigint,
): Promise<void> {
  const { random } = actor
  const { hub } = world.chain
  const merchant = random.pick(records.merchants)
  const nowS = BigInt(Math.floor(Date.now() / 1_000))
  const isShort = random.isLikely(0.2)
  const authorization = {
    from: lowerCaseAddress(payer.address),
    ...{
      to: merchant.forwarder,
      value,
      validAfter: nowS - 3_600n,
      validBefore: nowS + BigInt(isShort ? random.between(5, 40) : 300),
    },
    nonce: random.hex(32),
  }
  const signature = await signAuthorization(hub, payer, authorization)
  const maxTimeoutSeconds = random.pick([1, 1, 2, 5, 60, 60])
  const requirements = {
    ...{ scheme: 'exact', network: `eip155:${hub.node.chainId}`, amount: value.toString() },
    ...{ asset: hub.usdc.address, payTo: merchant.forwarder, maxTimeoutSeconds },
    extra: { name: hub.usdc.eip712?.name, version: hub.usdc.eip712?.version },
  }
  const payload = {
    signature,
    authorization: {
      ...{ from: authorization.from, to: authorization.to, value: value.toString() },
      ...{ validAfter: `${authorization.validAfter}`, validBefore: `${authorization.validBefore}` },
      nonce: authorization.nonce,
    },
  }
  const body = {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: requirements, payload },
    paymentRequirements: requirements,
  }
  const record: RequestRecord = {
    merchant,
    payer: authorization.from,
    nonce: authorization.nonce,
    value,
    refunds: [],
    answers: [],
  }
  records.requests.push(record)
  world.count('requests')
  // Some callers race with themselves.
  const callers = random.isLikely(0.35) ? random.between(2, 4) : 1
  const ids = await Promise.all(
    Array.from({ length: callers }, () => settle(world, actor, record, body)),
  )
  const paymentId = ids.find((id) => id !== null)
  if (paymentId !== undefined && random.isLikely(0.35))
    await giveBackPaid(world, actor, record, paymentId)
  if (random.isLikely(0.8)) return
  // The right to be told of a success lasts for seconds.
  await Bun.sleep(random.between(6_000, 9_000))
  await settle(world, actor, record, body)
}

/** Asks until the outcome is not open any more; the payment's id, or null when it has not succeeded. */
async function settle(
  world: World,
  actor: Process,
  record: RequestRecord,
  body: unknown,
): Promise<string | null> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { status, json, from } = await insist(world, actor, 'POST', '/v1/x402/settle', { body })
    if (status !== 200) throw new Error(`settle answered ${status}: ${JSON.stringify(json)}`)
    const answer = Object(json)
    const error = String(answer.errorReason ?? answer.error ?? '')
    const { success, transaction } = answer
    record.answers.push({
      ...{ success: success === true, transaction: String(transaction), error },
      ...{ at: world.kernel.now, from },
    })
    if (success === true) return String(answer.extensions?.remit?.paymentId ?? answer.paymentId)
    if (answer.error !== 'settlement_pending') return null
    await Bun.sleep(actor.random.between(1_000, 4_000))
  }
  return null
}

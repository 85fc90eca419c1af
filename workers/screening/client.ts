import type { Address } from '../../core/chain/evm.ts'
import { checksumAddress } from '../../core/chain/evm.ts'
import type { Environment } from '../../core/chain/table.ts'
import type { ScreeningSource } from '../../core/config/screening.ts'
import { readVerdict, type ScreeningAnswer } from '../../core/screening/answer.ts'
import { signedHeaders } from '../../core/webhook/signature.ts'
import { createSender } from '../webhook/sender.ts'

/**
 * Screens a payer with the operator's service: `POST SCREENING_URL` with `{ address, environment }`, signed as
 * webhooks are (Standard Webhooks), to an address that was checked, followed nowhere else.
 */

export type ScreenAddress = (address: Address) => Promise<ScreeningAnswer>

export function createScreeningClient(
  source: ScreeningSource,
  environment: Environment,
): ScreenAddress {
  const { allowed, limitMs, secret, url } = source
  const sender = createSender({ environment, allowed, limitMs })
  return async (address) => {
    const body = JSON.stringify({ address: checksumAddress(address), environment })
    const message = { id: `screening_${crypto.randomUUID()}`, at: new Date(), body }
    const { answer, text } = await sender.send(url, signedHeaders(message, [secret]), body)
    if (answer.type !== 'answered') return { ok: false, fault: answer.error }
    if (answer.status !== 200) return { ok: false, fault: `the status ${answer.status}` }
    return readVerdict(text ?? '')
  }
}

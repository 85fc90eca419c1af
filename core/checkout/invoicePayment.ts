import { baseUnitsFromText } from '../base/money.ts'
import { findNetwork } from '../chain/registry.ts'
import type { ActiveChain } from '../config/chains.ts'
import { SIGNATURE_S } from '../invoice/signature.ts'
import type { Invoice } from '../invoice/state.ts'
import { isObject, type JsonObject } from '../x402/fields.ts'
import { type ParsedPaymentRequest, parsePaymentRequest } from '../x402/request/parse.ts'
import { X402_VERSION } from '../x402/requirements.ts'
import { presentOption, signedOptions } from './requirements.ts'

/** Payments of invoices as x402 clients send them. */

/**
 * Reads a payment header for an invoice. The signed amount counts as required here: a payment that was claimed before
 * has reduced what is due, so only the claim compares the two.
 */
export function parseInvoicePayment(
  header: string,
  invoice: Pick<Invoice, 'chains' | 'tokenSymbol' | 'depositAddress' | 'reference'>,
  chains: readonly ActiveChain[],
): ParsedPaymentRequest {
  const { network, amount } = claimsOf(decode(header))
  const options = signedOptions(invoice, chains)
  const offered = options.map(({ chain }) => chain)
  const chain = findNetwork(offered, network)
  const option = options.find((one) => one.chain === chain) ?? options[0]
  const demand = { invoice, due: baseUnitsFromText(amount), maxTimeoutSeconds: SIGNATURE_S }
  const body = {
    x402Version: X402_VERSION,
    paymentPayload: header,
    paymentRequirements: option && presentOption(demand, option),
  }
  return parsePaymentRequest(body, offered)
}

const UTF8 = new TextDecoder()

/** A malformed header is reported by the parser. */
function decode(header: string): JsonObject {
  try {
    const value: unknown = JSON.parse(UTF8.decode(Buffer.from(header, 'base64')))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The network and amount that a payload names, unchecked. */
function claimsOf({ accepted, network: ofV1, payload }: JsonObject) {
  const made = isObject(accepted) ? accepted.network : ofV1
  const authorization = isObject(payload) ? payload.authorization : null
  const value = isObject(authorization) ? authorization.value : null
  return {
    network: typeof made === 'string' ? made : '',
    amount:
      typeof value === 'string' && /^[0-9]{1,78}$/.test(value) && !/^0+$/.test(value) ? value : '1',
  }
}

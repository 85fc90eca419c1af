import { ZERO_ADDRESS } from '../chain/evm.ts'
import type { FieldReader, Fields } from '../x402/fields.ts'
import type { Reason } from '../x402/reasons.ts'
import { type ChannelConfig, WITHDRAW_DELAY_S } from './channel.ts'
import type { ChannelTerms } from './requests.ts'

/** What requests about channels have in common, read field by field. */

const UINT128_MAX = 2n ** 128n - 1n

/** A channel for this receiver and token: another one pays another receiver. */
export function readConfig(
  from: Fields,
  terms: Pick<ChannelTerms, 'payTo' | 'asset'>,
  reader: FieldReader,
): ChannelConfig {
  const config: ChannelConfig = {
    payer: reader.address(from, 'payer'),
    payerAuthorizer: reader.address(from, 'payerAuthorizer'),
    receiver: reader.address(from, 'receiver'),
    receiverAuthorizer: reader.address(from, 'receiverAuthorizer'),
    token: reader.address(from, 'token'),
    withdrawDelay: readDelay(from, reader),
    salt: reader.word(from, 'salt'),
  }
  const differs = (name: string, reason: Reason, what: string) =>
    reader.refuse(reason, `${from.path}.${name} is not ${what}`)
  if (config.receiver !== terms.payTo) {
    differs('receiver', 'invalid_batch_settlement_evm_receiver_mismatch', 'payTo')
  }
  if (config.token !== terms.asset) {
    differs('token', 'invalid_batch_settlement_evm_token_mismatch', 'the asset')
  }
  if (config.receiverAuthorizer === ZERO_ADDRESS) {
    const reason = 'invalid_batch_settlement_evm_receiver_authorizer_mismatch'
    differs('receiverAuthorizer', reason, 'an address: sign claims and refunds with your own key')
  }
  return config
}

function readDelay(from: Fields, reader: FieldReader): number {
  const value = from.fields.withdrawDelay
  const { least, most } = WITHDRAW_DELAY_S
  const isDelay = typeof value === 'number' && Number.isSafeInteger(value)
  if (isDelay && value >= least && value <= most) return value
  reader.refuse(
    'invalid_batch_settlement_evm_withdraw_delay_out_of_range',
    `${from.path}.withdrawDelay must be a number of seconds from ${least} to ${most}`,
  )
  return least
}

/** An amount in base units, as the contract keeps it: a uint128. */
export function readUnits(from: Fields, name: string, reader: FieldReader): bigint {
  const value = reader.uint256(from, name)
  if (value > UINT128_MAX)
    reader.refuse('invalid_payload', `${from.path}.${name} is above 2^128 - 1`)
  return value
}

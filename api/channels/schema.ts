import { type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { type ChannelConfig, channelIdOf } from '../../core/channels/channel.ts'
import {
  configJson,
  type StoredVoucherJson,
  type X402ChannelJson,
} from '../../core/channels/present.ts'
import { PAYER, USDC } from '../request/examples.ts'
import type { PathId } from '../request/id.ts'
import {
  amount,
  type DocumentedSchema,
  integer,
  merchantId,
  named,
  nullable,
  optionalText,
  optionalTime,
  record,
  text,
  time,
  uuid,
} from '../request/schema.ts'
import { FORWARDER } from '../x402/endpoints/schema.ts'

/** Payment channels in the OpenAPI document. */

const SIGNATURE = '0x1b2c'
const payer = lowerCaseAddress(PAYER)
const EXAMPLE: ChannelConfig = {
  payer,
  payerAuthorizer: payer,
  receiver: lowerCaseAddress(FORWARDER),
  receiverAuthorizer: payer,
  token: lowerCaseAddress(USDC),
  withdrawDelay: 900,
  salt: `0x${'5f'.repeat(32)}`,
}
const CHANNEL_ID = channelIdOf(84_532, EXAMPLE)

export const CHANNEL_ID_PARAMETER: PathId<Hex> = {
  description: 'The hash of the channel.',
  example: CHANNEL_ID,
  code: 'channel_not_found',
  form: 'must be 0x and 64 hexadecimal digits',
  parse: (sent) => (/^0x[0-9a-f]{64}$/i.test(sent) ? `0x${sent.slice(2).toLowerCase()}` : null),
}

export const configSchema = {
  title: 'ChannelConfig',
  ...record('The configuration of the channel, as in its contract.', configJson(EXAMPLE)),
}

const voucherFields = {
  maxClaimableAmount: optionalText('The highest amount that the payer has signed.', '7000'),
  signature: optionalText('Its signature.', SIGNATURE),
  chargedCumulativeAmount: text('The charged amount.', '7000'),
  totalClaimed: text('The claimed amount.', '0'),
  record: optionalText("The server's own text.", '{}'),
  version: integer('Grows with every change.', 1),
} satisfies Record<keyof StoredVoucherJson, DocumentedSchema>

export const voucherSchema = named(
  'ChannelVoucher',
  "A server's record of a channel, in base units.",
  voucherFields,
)

const channelFields = {
  id: uuid('Identifies the channel in events.', '0198c1f4-9c3e-7000-8000-5b7d2e8f1a60'),
  merchantId,
  channelId: text('Its hash.', CHANNEL_ID),
  network: text('Its chain (CAIP-2).', 'eip155:84532'),
  channelConfig: configSchema,
  balance: amount('Deposited and not withdrawn.', '0.70'),
  claimed: amount('The claimed part of it.', '0.00'),
  unclaimed: amount('Charged and not yet claimed.', '0.07'),
  withdrawAmount: optionalText('The amount that the payer is withdrawing.', null),
  withdrawAt: optionalTime('When it can be withdrawn.', null),
  claimedBy: text('Who claims charged amounts before that: `service` or `merchant`.', 'service'),
  changedAt: time('When it last changed on its chain.', '2026-08-01T12:00:00.000Z'),
  voucher: nullable(voucherSchema),
} satisfies Record<keyof X402ChannelJson, DocumentedSchema>

export const channelSchema = named('X402Channel', 'A payment channel.', channelFields)

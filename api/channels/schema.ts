import { type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { type ChannelConfig, channelIdOf } from '../../core/channels/channel.ts'
import {
  configJson,
  type StoredVoucherJson,
  type X402ChannelJson,
} from '../../core/channels/present.ts'
import { MERCHANT_ID, PAYER, USDC } from '../request/examples.ts'
import type { PathId } from '../request/id.ts'
import {
  amount,
  type DocumentedSchema,
  integer,
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

/** Payment channels as the document describes them. */

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
  ...record('What the channel is, as its contract has it.', configJson(EXAMPLE)),
}

const voucherFields = {
  maxClaimableAmount: optionalText('The highest that the payer has signed.', '7000'),
  signature: optionalText('Its signature.', SIGNATURE),
  chargedCumulativeAmount: text('What is charged.', '7000'),
  totalClaimed: text('What is claimed.', '0'),
  record: optionalText("The server's own text.", '{}'),
  version: integer('Grows with every change.', 1),
} satisfies Record<keyof StoredVoucherJson, DocumentedSchema>

export const voucherSchema = named(
  'ChannelVoucher',
  'What a server keeps of a channel, in base units.',
  voucherFields,
)

const channelFields = {
  id: uuid('In events.', '0198c1f4-9c3e-7000-8000-5b7d2e8f1a60'),
  merchantId: uuid('The merchant.', MERCHANT_ID),
  channelId: text('Its hash.', CHANNEL_ID),
  network: text('Its chain (CAIP-2).', 'eip155:84532'),
  channelConfig: configSchema,
  balance: amount('What was deposited and has not gone back.', '0.70'),
  claimed: amount('What was claimed of it.', '0.00'),
  unclaimed: amount('What is charged and not claimed.', '0.07'),
  withdrawAmount: optionalText('What the payer withdraws.', null),
  withdrawAt: optionalTime('From when on.', null),
  claimedBy: text('Who claims before that: `service` or `merchant`.', 'service'),
  changedAt: time('When it last changed on its chain.', '2026-08-01T12:00:00.000Z'),
  voucher: nullable(voucherSchema),
} satisfies Record<keyof X402ChannelJson, DocumentedSchema>

export const channelSchema = named('X402Channel', 'A payment channel.', channelFields)

import type { Hex } from '../../../core/chain/evm.ts'
import type { StoredVoucherJson, X402ChannelJson } from '../../../core/x402/channels/present.ts'
import { PAYER, USDC } from '../../openapi/examples.ts'
import {
  address,
  amount,
  type DocumentedSchema,
  integer,
  named,
  nullable,
  optionalText,
  optionalTime,
  text,
  time,
} from '../../openapi/schema.ts'
import type { PathId } from '../../request/id.ts'
import { FORWARDER } from '../endpoints/schema.ts'

/** Payment channels as the document describes them. */

const CHANNEL_ID = '0x5f1d2c3b4a5968778695a4b3c2d1e0f0112233445566778899aabbccddeeff00'
const SIGNATURE = '0x1b2c'

export const CHANNEL_ID_PARAMETER: PathId<Hex> = {
  description: 'The hash of the channel.',
  example: CHANNEL_ID,
  code: 'invalid_channel_id',
  form: 'must be 0x and 64 hexadecimal digits',
  parse: (sent) => (/^0x[0-9a-f]{64}$/i.test(sent) ? `0x${sent.slice(2).toLowerCase()}` : null),
}

const voucherFields = {
  channelId: text('The hash of the channel.', CHANNEL_ID),
  maxClaimableAmount: optionalText(
    'The highest amount that the payer has signed, in base units; null with a record alone.',
    '7000',
  ),
  signature: optionalText("The payer's signature of it.", SIGNATURE),
  chargedCumulativeAmount: text('What the server has charged, in base units.', '7000'),
  totalClaimed: text('What was claimed on the chain, in base units.', '0'),
  record: optionalText("The server's own text.", '{}'),
  version: integer('Grows with every change.', 1),
  storedAt: time('When it last changed.', '2026-08-01T12:00:00.000Z'),
} satisfies Record<keyof StoredVoucherJson, DocumentedSchema>

export const voucherSchema = named(
  'ChannelVoucher',
  'What a server keeps of a channel.',
  voucherFields,
)

const channelFields = {
  channelId: voucherFields.channelId,
  network: text('The chain, as a CAIP-2 identifier.', 'eip155:84532'),
  networkId: text('The same chain by its networkId.', 'base-sepolia'),
  asset: address("The token's contract.", USDC),
  tokenSymbol: text('The symbol of the token.', 'USDC'),
  payer: text('Whose money it holds.', PAYER.toLowerCase()),
  payTo: address('Whom it pays.', FORWARDER),
  payerAuthorizer: text('Whose key signs vouchers; zero for the payer.', PAYER.toLowerCase()),
  receiverAuthorizer: text('Whose key signs claims.', PAYER.toLowerCase()),
  withdrawDelay: integer('How long a withdrawal waits, in seconds.', 900),
  salt: text('Part of its hash.', CHANNEL_ID),
  balance: amount('What was deposited and has not gone back, what was claimed included.', '0.70'),
  claimed: amount('What was claimed of it.', '0.00'),
  unclaimed: amount('What is charged and not claimed.', '0.07'),
  withdrawAmount: optionalText('What the payer withdraws; null for nothing.', null),
  withdrawAt: optionalTime('From when on the payer can take it.', null),
  claimedBy: text(
    'Who claims before that: `service` where every charge is signed for.',
    'service',
    {
      enum: ['service', 'merchant'],
    },
  ),
  createdAt: time('When it was first seen.', '2026-08-01T12:00:00.000Z'),
  changedAt: time('When the chain last said something of it.', '2026-08-01T12:00:00.000Z'),
  voucher: nullable(voucherSchema),
} satisfies Record<keyof X402ChannelJson, DocumentedSchema>

export const channelSchema = named('X402Channel', 'A payment channel.', channelFields)

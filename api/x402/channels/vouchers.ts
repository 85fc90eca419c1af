import { Type } from '@sinclair/typebox'
import { readChannel } from '../../../chain/channels/read.ts'
import { areClaimsSigned, isVoucherSigned } from '../../../chain/channels/signatures.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { PRICES } from '../../../core/costs.ts'
import { AppError } from '../../../core/errors.ts'
import type { MerchantId } from '../../../core/ids.ts'
import { presentVoucher } from '../../../core/x402/channels/present.ts'
import {
  parseStoredVoucher,
  RECORD_BYTES_MAX,
  refusedVoucher,
  type VoucherToStore,
} from '../../../core/x402/channels/stored.ts'
import { tokenDomain } from '../../../core/x402/digest.ts'
import { findChannel } from '../../../store/x402/channels/channels.ts'
import { storeVoucher } from '../../../store/x402/channels/vouchers.ts'
import { guardDatabase } from '../../http/backends.ts'
import { spend } from '../../http/budget.ts'
import { isOurFault } from '../../http/errors.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { PAYER, USDC } from '../../openapi/examples.ts'
import { one } from '../../openapi/responses.ts'
import { integer, object, optionalText, text } from '../../openapi/schema.ts'
import { bodyOf, field, optional, wordField } from '../../request/field.ts'
import { FORWARDER } from '../endpoints/schema.ts'
import { CHANNEL_ID_PARAMETER, voucherSchema } from './schema.ts'

/** PUT and GET /v1/x402/channels/:id/voucher: where servers keep what payers have promised them. */

const ONE_VOUCHER = { access: 'x402Merchant', ids: { id: CHANNEL_ID_PARAMETER } } as const

const SIGNATURE = '0x1b2c'
const CONFIG = object('What the channel is.', {
  payer: text('Whose money it holds.', PAYER),
  payerAuthorizer: text('Whose key signs vouchers; zero for the payer.', PAYER),
  receiver: text('Whom it pays.', FORWARDER),
  receiverAuthorizer: text('Whose key signs claims.', PAYER),
  token: text("The token's contract.", USDC),
  withdrawDelay: integer('In seconds.', 900),
  salt: text('32 bytes.', `0x${'00'.repeat(32)}`),
})

export const storeVoucherRoute = route({
  ...ONE_VOUCHER,
  operation: 'PUT /v1/x402/channels/:id/voucher',
  body: bodyOf('The voucher.', {
    network: wordField('The chain, as a CAIP-2 identifier.', 'eip155:84532'),
    channelConfig: field(Type.Object({}), 'must be an object', CONFIG),
    maxClaimableAmount: optional(wordField('What the payer has signed, in base units.', '7000')),
    signature: optional(wordField("The payer's signature.", SIGNATURE)),
    chargedCumulativeAmount: optional(wordField('What of it is charged, in base units.', '7000')),
    claimAuthorizerSignature: optional(
      wordField(
        'By `receiverAuthorizer`: `ClaimBatch` of this one claim. With it Remit claims when the payer withdraws.',
        SIGNATURE,
      ),
    ),
    record: field(
      Type.Optional(Type.Union([Type.String(), Type.Null()])),
      'must be a string or null',
      optionalText(`Your own text, at most ${RECORD_BYTES_MAX} bytes; null removes it.`, '{}'),
    ),
    version: optional(
      field(
        Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
        'must be a whole number that is not negative',
        integer('The version that was read, 0 for none: another one is a conflict.', 1),
      ),
    ),
  }),
  summary: 'Store a voucher',
  description:
    'What is lower than what is stored replaces nothing, and the same again changes nothing. Signatures ' +
    "and the channel's balance are checked.",
  operationId: 'storeChannelVoucher',
  successes: { 200: one('What is stored now.', voucherSchema) },
  errors: ['unknown_chain', 'invalid_voucher', 'voucher_conflict'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const parsed = parseStoredVoucher(
      ids.id,
      { ...body, channelConfig: { ...body.channelConfig } },
      deps.config.chains,
    )
    if (!parsed.ok) throw new AppError(parsed.code, parsed.details)
    const { wanted } = parsed
    const block = await examine(deps, exchange, merchantId, wanted)
    const status = await guardDatabase(deps, (sql) => storeVoucher(sql, merchantId, wanted, block))
    if (status === 'conflict') {
      const message = 'is not the one that is stored: read it again'
      throw new AppError('voucher_conflict', [{ path: 'version', message }])
    }
    if (status === 'foreign') {
      throw refusal(`the receiver ${wanted.config.receiver} is not the merchant's`)
    }
    return sendVoucher(deps, exchange, merchantId, ids.id)
  },
})

export const getVoucherRoute = route({
  ...ONE_VOUCHER,
  operation: 'GET /v1/x402/channels/:id/voucher',
  summary: 'Get the voucher of a channel',
  description: 'The highest that was stored.',
  operationId: 'getChannelVoucher',
  successes: { 200: one('What is stored.', voucherSchema) },
  errors: ['channel_not_found', 'voucher_not_found'],
  handle: (deps, { exchange, caller: { merchantId }, ids }) =>
    sendVoucher(deps, exchange, merchantId, ids.id),
})

async function sendVoucher(
  deps: ApiDependencies,
  exchange: Exchange,
  merchantId: MerchantId,
  channelId: Hex,
): Promise<string> {
  const channel = await guardDatabase(deps, (sql) => findChannel(sql, merchantId, channelId))
  if (channel === null) throw new AppError('channel_not_found')
  const voucher = presentVoucher(channel)
  if (voucher === null) throw new AppError('voucher_not_found')
  return sendObject(exchange, 200, voucher)
}

/** Whether a voucher may be stored; the answer is the chain's head where the chain was asked. */
async function examine(
  deps: ApiDependencies,
  exchange: Exchange,
  merchantId: MerchantId,
  wanted: VoucherToStore,
): Promise<bigint | null> {
  const { chain, config, promise } = wanted
  if (tokenDomain(chain, config.token) === null) {
    throw refusal(`the token ${config.token} is not the USDC of ${chain.networkId}`)
  }
  if (promise === null) return null
  try {
    await examineSignatures(deps, exchange, wanted, promise)
    return await examineBalance(deps, exchange, merchantId, wanted, promise)
  } catch (error) {
    if (isOurFault(error) || error instanceof AppError) throw error
    throw new AppError('service_unavailable', [], { cause: error })
  }
}

type Promised = NonNullable<VoucherToStore['promise']>

async function examineSignatures(
  deps: ApiDependencies,
  exchange: Exchange,
  { chain, config, channelId }: VoucherToStore,
  { voucher, charged, authorizerSignature }: Promised,
): Promise<void> {
  const { rpc } = clientOf(deps, chain.networkId)
  await spend(deps, exchange, PRICES.tryWallet)
  if (!(await isVoucherSigned(rpc, chain.chainId, config, voucher))) {
    throw refusal("the voucher is not signed by the payer's side")
  }
  if (authorizerSignature === null) return
  const claim = { channelId, maxClaimable: voucher.maxClaimable, totalClaimed: charged }
  const { receiverAuthorizer } = config
  const isSigned = await areClaimsSigned(
    rpc,
    chain.chainId,
    receiverAuthorizer,
    [claim],
    authorizerSignature,
  )
  if (!isSigned) throw refusal("the claim is not signed by the receiver's authorizer")
}

/** The booked balance is enough to know for most vouchers; for what is newer than that the chain is asked. */
async function examineBalance(
  deps: ApiDependencies,
  exchange: Exchange,
  merchantId: MerchantId,
  { chain, config, channelId }: VoucherToStore,
  { voucher: { maxClaimable } }: Promised,
): Promise<bigint | null> {
  const known = await guardDatabase(deps, (sql) => findChannel(sql, merchantId, channelId))
  if (known !== null && maxClaimable <= known.balance) return null
  await spend(deps, exchange, PRICES.readFunds)
  const { payer, receiver, token } = config
  const query = { receiver, token, channelId, payer, calldata: null }
  const { block, channel } = await readChannel(clientOf(deps, chain.networkId).rpc, query)
  if (maxClaimable <= channel.balance) return block
  throw refusal(`the voucher promises ${maxClaimable}, and the channel holds ${channel.balance}`)
}

function clientOf({ chainClients }: ApiDependencies, networkId: string) {
  const client = chainClients.get(networkId)
  if (client === undefined) throw new AppError('unknown_chain')
  return client
}

function refusal(message: string): AppError {
  const { code, details } = refusedVoucher(message)
  return new AppError(code, details)
}

import type { TSchema } from '@sinclair/typebox'
import { readChannel } from '../../chain/channels/read.ts'
import { areClaimsSigned, isVoucherSigned } from '../../chain/channels/signatures.ts'
import { PRICES } from '../../core/access/costs.ts'
import { AppError } from '../../core/base/errors.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { presentVoucher } from '../../core/channels/present.ts'
import {
  parseStoredVoucher,
  RECORD_BYTES_MAX,
  refusedVoucher,
  type VoucherToStore,
} from '../../core/channels/stored.ts'
import { tokenDomain } from '../../core/x402/digest.ts'
import { findChannel, isForeignChannel } from '../../store/channels/channels.ts'
import { storeVoucher } from '../../store/channels/vouchers.ts'
import { guardDatabase } from '../http/backends.ts'
import { spend } from '../http/budget.ts'
import { isOurFault } from '../http/errors.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody } from '../request/body.ts'
import { one } from '../request/responses.ts'
import {
  type DocumentedSchema,
  integer,
  optional,
  optionalText,
  text,
  withMessage,
  withRange,
  wordField,
} from '../request/schema.ts'
import { CHANNEL_ID_PARAMETER, configSchema, voucherSchema } from './schema.ts'

/** PUT and GET /v1/x402/channels/:id/voucher: servers store their payers' vouchers. */

/** An optional field, omitted from examples. */
function hidden<S extends TSchema>(one: DocumentedSchema<S>) {
  return optional(one, { isShown: false })
}

/** Base units: digits only, without blanks. */
function unitsField(description: string, example: string) {
  return withMessage(`must be a string, e.g. "${example}"`, text(description, example))
}

const ONE_VOUCHER = { access: 'x402Merchant', ids: { id: CHANNEL_ID_PARAMETER } } as const

export const storeVoucherRoute = route({
  ...ONE_VOUCHER,
  operation: 'PUT /v1/x402/channels/:id/voucher',
  body: bodyOf('The voucher.', {
    network: wordField('The chain (CAIP-2).', 'eip155:84532'),
    channelConfig: configSchema,
    maxClaimableAmount: hidden(
      unitsField('The amount that the payer has signed, in base units.', '7000'),
    ),
    signature: hidden(wordField("The payer's signature.", '0x1b2c')),
    chargedCumulativeAmount: hidden(unitsField('The charged part of it.', '7000')),
    claimAuthorizerSignature: hidden(
      wordField(
        'By `receiverAuthorizer`, for a claim of that amount only, sent when the payer withdraws.',
        '0x1b2c',
      ),
    ),
    record: hidden(
      withMessage(
        'must be a string or null',
        optionalText(`Your own text, at most ${RECORD_BYTES_MAX} bytes.`, '{}'),
      ),
    ),
    version: hidden(
      withRange(
        'must be a whole number that is not negative',
        integer('The version that was read; 0 for none.', 1, {
          minimum: 0,
          maximum: 2_147_483_647,
        }),
      ),
    ),
  }),
  summary: 'Store a voucher',
  description: 'A lower voucher than the stored one is ignored. Idempotent.',
  operationId: 'storeChannelVoucher',
  successes: { 200: one('The stored voucher.', voucherSchema) },
  errors: ['voucher_conflict'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    if (await guardDatabase(deps, (sql) => isForeignChannel(sql, merchantId, ids.id))) {
      throw new AppError('channel_not_found')
    }
    const parsed = parseStoredVoucher(
      ids.id,
      { ...body, channelConfig: { ...body.channelConfig } },
      deps.config.chains,
    )
    if (!parsed.ok) throw invalidBody(parsed.details)
    const { wanted } = parsed
    const block = await examine(deps, exchange, merchantId, wanted)
    const status = await guardDatabase(deps, (sql) => storeVoucher(sql, merchantId, wanted, block))
    if (status === 'conflict') {
      const message = 'must be the stored version: read the voucher again'
      throw new AppError('voucher_conflict', [{ path: 'version', message }])
    }
    if (status === 'foreign') throw new AppError('channel_not_found')
    return sendVoucher(deps, exchange, merchantId, ids.id)
  },
})

export const getVoucherRoute = route({
  ...ONE_VOUCHER,
  operation: 'GET /v1/x402/channels/:id/voucher',
  summary: 'Get the voucher of a channel',
  description: 'The highest stored voucher.',
  operationId: 'getChannelVoucher',
  successes: { 200: one('The voucher.', voucherSchema) },
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
  const voucher = channel && presentVoucher(channel)
  if (voucher === null) throw new AppError('channel_not_found')
  return sendObject(exchange, 200, voucher)
}

/** Throws unless a voucher may be stored. Returns the chain's head where the chain was read. */
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

/** The booked balance covers most vouchers; the chain is read only for amounts above it. */
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
  if (client === undefined) throw new Error(`${networkId} is not enabled`)
  return client
}

function refusal(message: string): AppError {
  return invalidBody(refusedVoucher(message).details)
}

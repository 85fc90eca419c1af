import { chainNamed, chainsOf } from '../../core/chain/registry.ts'
import { presentChannel } from '../../core/channels/present.ts'
import { findChannel, listChannels } from '../../store/channels/channels.ts'
import { guardDatabase, reading } from '../http/backends.ts'
import { sendObject, sendPage } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { listQuery, PAGED } from '../request/page.ts'
import { addressParameter, flagParameter, networkParameter } from '../request/parameter.ts'
import { one, paged } from '../request/responses.ts'
import { text } from '../request/schema.ts'
import { FORWARDER } from '../x402/endpoints/schema.ts'
import { CHANNEL_ID_PARAMETER, channelSchema } from './schema.ts'

/** GET /v1/x402/channels and /v1/x402/channels/:id: a merchant's channels with their stored state. */

export const listChannelsRoute = route({
  operation: 'GET /v1/x402/channels',
  access: 'x402Merchant',
  query: listQuery({
    network: networkParameter('Only channels on this chain.', 'eip155:84532'),
    payTo: addressParameter(text('Only channels that pay this address.', FORWARDER)),
    withdrawing: flagParameter('Only channels whose payer is withdrawing, or only others.', true),
  }),
  summary: 'List payment channels',
  description: `The newest first. ${PAGED}`,
  operationId: 'listX402Channels',
  successes: { 200: paged('A page of the list.', channelSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const { network: networkId, ...others } = filter
    const found = await guardDatabase(deps, (sql) =>
      listChannels(sql, merchantId, { ...others, networkId }, page),
    )
    const chains = chainsOf(deps.config.environment)
    return sendPage(exchange, page, found, (channel) =>
      presentChannel(channel, chainNamed(channel.networkId, chains)),
    )
  },
})

const readChannel = reading(findChannel, 'channel_not_found')

export const getChannelRoute = route({
  operation: 'GET /v1/x402/channels/:id',
  access: 'x402Merchant',
  ids: { id: CHANNEL_ID_PARAMETER },
  summary: 'Get a payment channel',
  description: 'A payment channel to the merchant.',
  operationId: 'getX402Channel',
  successes: { 200: one('The channel.', channelSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const channel = await readChannel(deps, merchantId, ids.id)
    const chain = chainNamed(channel.networkId, chainsOf(deps.config.environment))
    return sendObject(exchange, 200, presentChannel(channel, chain))
  },
})

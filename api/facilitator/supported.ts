import { type Address, checksumAddress } from '../../core/chain/evm.ts'
import { CHANNELS_SCHEME } from '../../core/channels/channel.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { readRelayerKeys } from '../../store/relayer/keys.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendJson } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { address, integer, list, named, object, text } from '../request/schema.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'

/** GET /v1/x402/supported: stock middleware reads it at startup. A bare object, no envelope. */

/** No `payment-identifier`: it has no effect on a payment. */
const EXTENSIONS: readonly string[] = ['bazaar', 'eip2612GasSponsoring']

const SIGNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const extension = text('A supported extension.', 'bazaar')
const signers = list(
  'The addresses that send transactions on EVM chains.',
  address('A relayer.', SIGNER),
)

const supportedSchema = named('Supported', 'The capabilities of this facilitator.', {
  kinds: list(
    'Each chain, as named in both versions of the protocol.',
    named('SupportedKind', 'A payment kind.', {
      x402Version: integer('The version of the protocol.', 2),
      scheme: text('The scheme.', 'exact'),
      network: text('CAIP-2 in version 2, a name in version 1.', 'eip155:84532'),
      extra: object('For `upto`: the facilitator that the payer signs for.', {
        facilitatorAddress: address('The hub.', SIGNER),
      }),
    }),
  ),
  extensions: list('Extensions of version 2.', extension),
  signers: object('The senders of transactions, by kind of chain.', { 'eip155:*': signers }),
})

export const supportedRoute = route({
  operation: 'GET /v1/x402/supported',
  access: 'x402Anyone',
  isCrossOrigin: true,
  summary: 'List supported payment kinds',
  description: 'For x402 middleware, which reads it at startup.',
  operationId: 'listX402Supported',
  successes: { 200: { description: 'Networks, extensions and signers.', schema: supportedSchema } },
  handle: async (deps: X402Dependencies, { exchange }) => {
    const keys = await guardDatabase(deps, readRelayerKeys)
    const { chains } = deps.config
    const networkIds = chains.map(({ networkId }) => networkId)
    const sending = keys.filter(
      ({ networkId, status }) => networkIds.includes(networkId) && status !== 'quarantined',
    )
    const addresses = [...new Set(sending.map((key) => checksumAddress(key.address)))]
    const takesPermits = await Promise.all(
      chains.map(({ networkId }) => deps.facilitator.takesPermits(networkId)),
    )
    const kinds = chains.flatMap((chain, i) =>
      kindsOf(chain, takesPermits[i] ? deps.config.hub : null),
    )
    const answer = { kinds, extensions: EXTENSIONS, signers: { 'eip155:*': addresses } }
    return sendJson(exchange, 200, JSON.stringify(answer))
  },
})

/**
 * Version 2 identifies a chain by CAIP-2; version 1 by our networkId, and has no `upto`. The hub
 * is null where Permit2 or a proxy of x402 is not deployed.
 */
function kindsOf({ caip2, networkId }: ActiveChain, hub: Address | null) {
  const others = [
    { x402Version: 2, scheme: 'exact', network: caip2 },
    { x402Version: 1, scheme: 'exact', network: networkId },
    // No receiverAuthorizer: this facilitator doesn't sign for servers, least of all refunds that anyone may request.
    { x402Version: 2, scheme: CHANNELS_SCHEME, network: caip2 },
  ]
  if (hub === null) return others
  const extra = { facilitatorAddress: checksumAddress(hub) }
  return [...others, { x402Version: 2, scheme: 'upto', network: caip2, extra }]
}

import { isSignedByKey, isSignedByWallet } from '../../../chain/blocks/ownAddress.ts'
import { AppError } from '../../../core/base/errors.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { chainsOf, findNetwork } from '../../../core/chain/registry.ts'
import { parseRecipient, WATCHED_RECIPIENT } from '../../../core/invoice/recipient.ts'
import { type OwnAddressJson, presentOwnAddress } from '../../../core/x402/ownAddress.ts'
import {
  listOwnAddresses,
  registerOwnAddress,
  removeOwnAddress,
} from '../../../store/x402/ownAddresses.ts'
import { guardDatabase } from '../../http/backends.ts'
import { type ApiDependencies, sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { recipientNotApproved } from '../../merchant/approvedRecipients.ts'
import { bodyOf, invalidBody } from '../../request/body.ts'
import { PAYER } from '../../request/examples.ts'
import { ADDRESS_PARAMETER } from '../../request/id.ts'
import { one } from '../../request/responses.ts'
import {
  address,
  type DocumentedSchema,
  list,
  named,
  optional,
  optionalText,
  time,
  wordField,
} from '../../request/schema.ts'

/** /v1/x402/addresses: merchants' own addresses, for servers that send them as payTo. */

const fields = {
  address: address('The address.', PAYER),
  network: optionalText('The only chain on which it is yours; null for all.', 'eip155:84532'),
  createdAt: time('When it was registered.', '2026-08-01T12:00:00.000Z'),
} satisfies Record<keyof OwnAddressJson, DocumentedSchema>

const schema = named('OwnAddress', 'An address of your own.', fields)
const listed = one('Your addresses.', list('The oldest first.', schema))
const TAKEN = 'is registered by another merchant'
const SIGNATURE = /^0x(?:[0-9a-f]{2}){1,2000}$/

export const registerOwnAddressRoute = route({
  operation: 'POST /v1/x402/addresses/:address',
  access: 'merchant',
  ids: { address: ADDRESS_PARAMETER },
  body: bodyOf('The proof of ownership.', {
    signature: wordField(
      'EIP-712, `OwnAddress(address payTo,string merchantId)`; domain `name` "Remit", `version` "1".',
      '0x1b2c',
    ),
    network: optional(
      wordField('The chain of a contract wallet (ERC-1271); none for a key.', 'eip155:84532'),
    ),
  }),
  summary: 'Register an own address',
  description: 'Payments may use it as `payTo` and are sent there in full.',
  operationId: 'registerOwnAddress',
  successes: { 200: one('The registered address.', schema) },
  errors: ['invalid_recipient', 'approval_required', 'unknown_chain'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const { config } = deps
    const verdict = parseRecipient(ids.address, config.hub, config.chains)
    if (!verdict.ok) throw notPayable(verdict.message)
    const networkId = await agreed(deps, merchantId, verdict.address, body)
    const wanted = { merchantId, address: verdict.address, networkId, signature: lower(body) }
    const result = await guardDatabase(deps, (sql) =>
      registerOwnAddress(sql, config.hub, wanted, deps.now()),
    )
    if (!result.ok && result.reason === 'not_approved') throw recipientNotApproved('address')
    if (!result.ok) throw notPayable(result.reason === 'watched' ? WATCHED_RECIPIENT : TAKEN)
    const chains = chainsOf(config.environment)
    const data = presentOwnAddress(result.ownAddress, chains)
    return sendObject(exchange, 200, data)
  },
})

export const listOwnAddressesRoute = route({
  operation: 'GET /v1/x402/addresses',
  access: 'merchant',
  summary: 'List own addresses',
  description: 'Addresses that payments may use as `payTo`, in addition to the forwarder.',
  operationId: 'listOwnAddresses',
  successes: { 200: listed },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const found = await guardDatabase(deps, (sql) => listOwnAddresses(sql, merchantId))
    const chains = chainsOf(deps.config.environment)
    const data = found.map((ownAddress) => presentOwnAddress(ownAddress, chains))
    return sendObject(exchange, 200, data)
  },
})

export const removeOwnAddressRoute = route({
  operation: 'DELETE /v1/x402/addresses/:address',
  access: 'merchant',
  ids: { address: ADDRESS_PARAMETER },
  summary: 'Remove an own address',
  description: 'New payments to it are refused.',
  operationId: 'removeOwnAddress',
  successes: { 200: listed },
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const left = await guardDatabase(deps, async (sql) => {
      await removeOwnAddress(sql, merchantId, ids.address, deps.now())
      return listOwnAddresses(sql, merchantId)
    })
    const chains = chainsOf(deps.config.environment)
    const data = left.map((ownAddress) => presentOwnAddress(ownAddress, chains))
    return sendObject(exchange, 200, data)
  },
})

/** Checks the proof: returns the chain of a wallet, or null for all chains. Throws if it is invalid. */
async function agreed(
  { config, chainClients }: ApiDependencies,
  merchantId: MerchantId,
  payTo: Address,
  body: { readonly signature: string; readonly network?: string | undefined },
): Promise<string | null> {
  const signature = lower(body)
  if (!SIGNATURE.test(signature)) throw unsigned('must be hexadecimal, 0x first')
  if (body.network === undefined) {
    if (await isSignedByKey(merchantId, payTo, signature)) return null
    throw unsigned(
      'must be made by the key of the address for this merchant; for a contract wallet, set `network`',
    )
  }
  const chain = findNetwork(config.chains, body.network)
  const client = chain && chainClients.get(chain.networkId)
  if (client === undefined) throw new AppError('unknown_chain', [])
  const isSigned = isSignedByWallet(client.rpc, merchantId, payTo, signature).catch((cause) => {
    throw new AppError('service_unavailable', [], { cause })
  })
  if (await isSigned) return client.chain.networkId
  throw unsigned('must be accepted by the wallet at the address for this merchant')
}

function lower({ signature }: { readonly signature: string }): Hex {
  const text = signature.toLowerCase()
  return `0x${text.startsWith('0x') ? text.slice(2) : text}`
}

function notPayable(message: string): AppError {
  return new AppError('invalid_recipient', [{ path: 'address', message }])
}

function unsigned(message: string): AppError {
  return invalidBody([{ path: 'signature', message }])
}

import { encodeFunctionData } from 'viem'
import { HUB_ABI } from '../../chain/hub/abi.ts'
import { FEE_CAP_DECIMALS } from '../../chain/hub/ownerCalls.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Chain } from '../../core/chain/registry.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import {
  type CommandInput,
  type CommandSpec,
  misused,
  type OptionSpec,
} from '../terminal/command.ts'
import { merchantArgument, required } from '../terminal/options.ts'
import {
  account,
  accountOption,
  accountOrNone,
  amount,
  bytes,
  decimalsOption,
  integer,
  limit,
  span,
  token,
} from './values.ts'

/** The calls that an owner can propose, each with a name; `chain/hub/ownerCalls.ts` decodes them. */

export interface OwnerCallSpec {
  readonly name: string
  readonly about: string
  readonly argument: NonNullable<CommandSpec['argument']> | null
  readonly options: Readonly<Record<string, OptionSpec>>
  /** The arguments of `hub propose NAME`. */
  readonly example: string
  build(input: CommandInput, chain: Chain): Hex
}

const SOME = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ACCOUNT = { name: 'ADDRESS', about: 'The account' }
const ACCOUNT_OR_NONE = { name: 'ADDRESS', about: 'The account, or nobody to unset it' }
const TOKEN = { name: 'TOKEN', about: 'A symbol of the registry, or an address' }

type Appointment = 'setConfigSigner' | 'setRefundSigner' | 'setGuardian' | 'transferOwnership'

function appointment(name: string, about: string, functionName: Appointment): OwnerCallSpec {
  return {
    name,
    about,
    argument: ACCOUNT_OR_NONE,
    options: {},
    example: SOME,
    build(input) {
      const args = [accountOrNone(input, 'ADDRESS', input.argument ?? '')] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName, args })
    },
  }
}

function operator(name: string, about: string, isAllowed: boolean): OwnerCallSpec {
  return {
    name,
    about,
    argument: ACCOUNT,
    options: {},
    example: SOME,
    build(input) {
      const args = [argumentAccount(input), isAllowed] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setOperator', args })
    },
  }
}

export const OWNER_CALLS: readonly OwnerCallSpec[] = [
  appointment('set-refund-signer', 'Appoint the signer of refunds.', 'setRefundSigner'),
  appointment('set-config-signer', 'Appoint the signer of registry entries.', 'setConfigSigner'),
  appointment(
    'set-guardian',
    'Appoint the guardian, who can stop parts of the hub and veto proposals.',
    'setGuardian',
  ),
  appointment(
    'transfer-ownership',
    'Offer the ownership; the new owner then accepts it.',
    'transferOwnership',
  ),
  operator('add-operator', 'Add an operator, which can sweep and distribute.', true),
  operator('remove-operator', 'Remove an operator.', false),
  {
    name: 'set-fee-collector',
    about: 'Replace the account that receives fees.',
    argument: ACCOUNT,
    options: {},
    example: SOME,
    build(input) {
      const args = [argumentAccount(input)] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setFeeCollector', args })
    },
  },
  {
    name: 'set-token',
    about: 'List a token, with its refund limit for 24 hours.',
    argument: TOKEN,
    options: {
      limit: { value: 'AMOUNT', about: 'The limit in whole tokens, or unlimited', required: true },
      decimals: { value: 'COUNT', about: 'The decimals of a token that is not in the registry' },
      unlisted: { about: 'Refuse to sweep and distribute it' },
    },
    example: 'USDC --limit 5000',
    build(input, chain) {
      const found = token(input, chain, input.argument ?? '')
      const own = 'decimals' in found ? found.decimals : null
      const decimals = decimalsOption(input) ?? own
      if (decimals === null)
        throw misused(input, '--decimals is missing: the token is not in the registry')
      const isListed = !input.switches.has('unlisted')
      const args = [found.address, isListed, decimals, limit(input, decimals)] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setToken', args })
    },
  },
  {
    name: 'set-delays',
    about: 'Set the delays of the owner and of treasuries.',
    argument: null,
    options: {
      owner: {
        value: 'SPAN',
        about: 'The delay of proposals, e.g. 48h',
        required: true,
      },
      config: {
        value: 'SPAN',
        about: 'The delay of treasury changes, e.g. 24h',
        required: true,
      },
    },
    example: '--owner 48h --config 24h',
    build(input) {
      const args = [span(input, 'owner'), span(input, 'config')] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setDelays', args })
    },
  },
  {
    name: 'set-merchant',
    about: "Write a merchant's registry entry, overriding the configuration signer.",
    argument: { name: 'ID', about: "The merchant's id" },
    options: {
      treasury: { value: 'ADDRESS', about: 'The payout address', required: true },
      'fee-bps': {
        value: 'COUNT',
        about: 'The fee in hundredths of a percent of a payout',
        required: true,
      },
      'fee-cap': {
        value: 'AMOUNT',
        about: 'The maximum fee of a payout, in whole tokens',
        required: true,
      },
      version: { value: 'NUMBER', about: 'The version, above the newest one', required: true },
    },
    example: `0197fe12-0000-7000-8000-000000000001 --treasury ${SOME} --fee-bps 50 --fee-cap 5 --version 8`,
    build(input) {
      const merchantId = uuidToBytes16(merchantArgument(input))
      const treasury = accountOption(input, 'treasury')
      const feeBps = integer(input, 'fee-bps', 10_000)
      const feeCap = Number(
        amount(input, '--fee-cap', required(input, 'fee-cap'), FEE_CAP_DECIMALS),
      )
      if (feeCap >= 2 ** 40) throw misused(input, '--fee-cap must be at most 1099511 whole tokens')
      const version = integer(input, 'version', 2 ** 32 - 1)
      const args = [{ merchantId, treasury, feeBps, feeCap, version }] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'setMerchant', args })
    },
  },
  {
    name: 'recover',
    about: 'Move tokens that were sent to the hub itself, or to its forwarder implementation.',
    argument: TOKEN,
    options: {
      from: { value: 'ADDRESS', about: 'The hub or the implementation', required: true },
      to: { value: 'ADDRESS', about: 'The recipient', required: true },
      amount: {
        value: 'AMOUNT',
        about: 'The amount in whole tokens, or e.g. 5units',
        required: true,
      },
    },
    example: `USDC --from ${SOME} --to ${SOME} --amount 25`,
    build(input, chain) {
      const found = token(input, chain, input.argument ?? '')
      const decimals = 'decimals' in found ? found.decimals : null
      const sum = amount(input, '--amount', required(input, 'amount'), decimals)
      const args = [
        accountOption(input, 'from'),
        found.address,
        accountOption(input, 'to'),
        sum,
      ] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'recover', args })
    },
  },
  {
    name: 'recover-call',
    about: 'Let a deposit address or forwarder call a contract, e.g. to forward an NFT.',
    argument: { name: 'CLONE', about: 'The deposit address or forwarder' },
    options: {
      target: { value: 'ADDRESS', about: 'The contract', required: true },
      data: { value: 'BYTES', about: 'The calldata', required: true },
    },
    example: `${SOME} --target ${SOME} --data 0x42842e0e`,
    build(input) {
      const args = [
        argumentAccount(input),
        accountOption(input, 'target'),
        bytes(input, 'data'),
      ] as const
      return encodeFunctionData({ abi: HUB_ABI, functionName: 'recoverCall', args })
    },
  },
]

function argumentAccount(input: CommandInput): Address {
  return account(
    input,
    input.words.at(-1) === 'recover-call' ? 'CLONE' : 'ADDRESS',
    input.argument ?? '',
  )
}

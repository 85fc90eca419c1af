import { type ContractFunctionArgs, decodeFunctionData } from 'viem'
import { durationText } from '../../core/base/duration.ts'
import { formatAmount, tokenDecimals } from '../../core/base/money.ts'
import {
  type Address,
  checksumAddress,
  type Hex,
  lowerCaseAddress,
  ZERO_ADDRESS,
} from '../../core/chain/evm.ts'
import type { Token } from '../../core/chain/tokens.ts'
import { bytes16ToUuid } from '../../core/chain/words.ts'
import { HUB_ABI } from './abi.ts'
import { type TokenState, UNLIMITED } from './setup.ts'

/** The owner's calls that have to be proposed, in the words in which `bun run remit hub propose` takes them. */

/** What a call is compared with to see whether it adds power. Delays in seconds. */
export interface CurrentTerms {
  readonly guardian: Address
  readonly ownerDelay: bigint
  readonly configDelay: bigint
  /** The token that the call is about; only setToken needs it. */
  readonly token: TokenState
}

export interface OwnerCallRead {
  readonly words: string
  /** Whether it adds power to any account: it has to be proposed then, once the owner has a delay. */
  readonly adds: (current: CurrentTerms) => boolean
  /** The token whose terms it sets, if it does. */
  readonly token: Address | null
  /** It waits seven times as long, and the guardian can't veto it. */
  readonly replacesGuardian: boolean
}

/** How many times the owner's delay another guardian waits. */
export const GUARDIAN_DELAY_FACTOR = 7n
/** The registry's fee caps are in millionths of a whole token, regardless of the token's decimals. */
export const FEE_CAP_DECIMALS = tokenDecimals(6)

/** Reads calldata to a hub; null when it is none of these calls. */
export function readOwnerCall(call: Hex, tokens: readonly Token[]): OwnerCallRead | null {
  const decoded = decode(call)
  switch (decoded?.functionName) {
    case 'setConfigSigner':
      return appointment('set-config-signer', decoded.args[0])
    case 'setRefundSigner':
      return appointment('set-refund-signer', decoded.args[0])
    case 'transferOwnership':
      return appointment('transfer-ownership', decoded.args[0])
    case 'setFeeCollector':
      return plain(`set-fee-collector ${who(decoded.args[0])}`)
    case 'setGuardian': {
      const words = `set-guardian ${who(decoded.args[0])}`
      const adds = ({ guardian }: CurrentTerms) => guardian !== ZERO_ADDRESS
      return { ...plain(words), adds, replacesGuardian: true }
    }
    case 'setOperator': {
      const [operator, isAllowed] = decoded.args
      return plain(`${isAllowed ? 'add' : 'remove'}-operator ${who(operator)}`, isAllowed)
    }
    case 'setToken':
      return tokenCall(decoded.args, tokens)
    case 'setDelays': {
      const [owner, config] = decoded.args
      const words = `set-delays --owner ${durationText(owner)} --config ${durationText(config)}`
      const adds = ({ ownerDelay, configDelay }: CurrentTerms) =>
        owner < ownerDelay || config < configDelay
      return { ...plain(words), adds }
    }
    case 'setMerchant':
      return merchantCall(decoded.args)
    case 'recover':
      return recovery(decoded.args, tokens)
    case 'recoverCall': {
      const [clone, target, data] = decoded.args
      return plain(`recover-call ${who(clone)} --target ${who(target)} --data ${data}`)
    }
    default:
      return null
  }
}

/** An owner's proposed calldata in words, or in hex when it is none of these calls. */
export function ownerCallWords(call: Hex, tokens: readonly Token[]): string {
  return readOwnerCall(call, tokens)?.words ?? `a call that this version does not know: ${call}`
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: HUB_ABI, data })
  } catch {
    // A proposal may be any bytes.
    return null
  }
}

function plain(words: string, adds = true): OwnerCallRead {
  return { words, adds: () => adds, token: null, replacesGuardian: false }
}

function appointment(name: string, account: Hex): OwnerCallRead {
  return plain(`${name} ${who(account)}`, lowerCaseAddress(account) !== ZERO_ADDRESS)
}

type Args<Name extends 'setToken' | 'setMerchant' | 'recover'> = ContractFunctionArgs<
  typeof HUB_ABI,
  'nonpayable',
  Name
>

function tokenCall(
  [address, isListed, decimals, limit]: Args<'setToken'>,
  tokens: readonly Token[],
): OwnerCallRead {
  const token = lowerCaseAddress(address)
  const known = tokens.find((one) => one.address === token)
  const isOwn = known?.decimals === decimals
  const bound =
    limit === UNLIMITED
      ? 'unlimited'
      : decimals <= 36
        ? formatAmount(limit, tokenDecimals(decimals))
        : `${limit}units`
  const words = [
    `set-token ${isOwn ? known.symbol : who(token)} --limit ${bound}`,
    ...(isOwn ? [] : [`--decimals ${decimals}`]),
    ...(isListed ? [] : ['--unlisted']),
  ].join(' ')
  const adds = ({ token: current }: CurrentTerms) => {
    const isAdded = isListed && !current.listed
    return isAdded || limit > current.refundLimit || decimals !== current.decimals
  }
  return { ...plain(words), adds, token }
}

function merchantCall([config]: Args<'setMerchant'>): OwnerCallRead {
  const { merchantId, treasury, feeBps, feeCap, version } = config
  const cap = formatAmount(BigInt(feeCap), FEE_CAP_DECIMALS)
  return plain(
    `set-merchant ${bytes16ToUuid(merchantId)} --treasury ${who(treasury)} --fee-bps ${feeBps} --fee-cap ${cap} --version ${version}`,
  )
}

function recovery(
  [source, address, to, amount]: Args<'recover'>,
  tokens: readonly Token[],
): OwnerCallRead {
  const token = lowerCaseAddress(address)
  const known = tokens.find((one) => one.address === token)
  const sum = known === undefined ? `${amount}units` : formatAmount(amount, known.decimals)
  const name = known?.symbol ?? who(token)
  return plain(`recover ${name} --from ${who(source)} --to ${who(to)} --amount ${sum}`)
}

/** An account for display. */
function who(account: Hex): string {
  const address = lowerCaseAddress(account)
  return address === ZERO_ADDRESS ? 'nobody' : checksumAddress(address)
}

import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../chain/evm.ts'
import { keccak256 } from '../chain/keccak.ts'
import { addressWord, bytesWord, integerWord } from '../chain/words.ts'

/**
 * Payment channels of x402's scheme "batch-settlement" on EVM chains: a payer's deposit, out of which
 * cumulative vouchers promise ever more to one receiver. Digests are EIP-712, as the contract has them.
 */

export const CHANNELS_SCHEME = 'batch-settlement'

/** The same on every chain (CREATE2): the channels, and what takes deposits by EIP-3009 for them. */
export const CHANNELS = lowerCaseAddress('0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003')
export const DEPOSIT_COLLECTOR = lowerCaseAddress('0x4020806089470a89826cB9fB1f4059150b550004')
export const MULTICALL = lowerCaseAddress('0xcA11bde05977b3631167028862bE2a173976CA11')

/** What the contract lets a withdrawal by the payer wait, in seconds. */
export const WITHDRAW_DELAY_S = { least: 900, most: 2_592_000 } as const

/** What a channel is: its id is the hash of this. */
export interface ChannelConfig {
  readonly payer: Address
  /** Whose key signs vouchers; the zero address leaves it to the payer itself, also by ERC-1271. */
  readonly payerAuthorizer: Address
  readonly receiver: Address
  /** Whose key signs claims and refunds for the receiver. */
  readonly receiverAuthorizer: Address
  readonly token: Address
  /** In seconds. */
  readonly withdrawDelay: number
  readonly salt: Hex
}

/** A payer's promise: all in all so much of the channel, in base units. */
export interface Voucher {
  readonly channelId: Hex
  readonly maxClaimable: bigint
  readonly signature: Hex
}

/** What the receiver takes of a voucher: all in all so much. */
export interface VoucherClaim {
  readonly config: ChannelConfig
  readonly channelId: Hex
  readonly maxClaimable: bigint
  readonly signature: Hex
  readonly totalClaimed: bigint
}

/** A channel's state on chain. Amounts in base units. */
export interface ChannelState {
  /** All that was deposited and has not gone back; what was claimed included. */
  readonly balance: bigint
  readonly totalClaimed: bigint
  /** Unix time at which the payer began to withdraw; 0 for no withdrawal. */
  readonly withdrawRequestedAt: number
  readonly refundNonce: bigint
}

const ASCII = new TextEncoder()
const hashOfText = (text: string) => keccak256(ASCII.encode(text)).toHex()
const hashOf = (...words: readonly string[]) => keccak256(Uint8Array.fromHex(words.join('')))

const DOMAIN_TYPE = hashOfText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const CONFIG_TYPE = hashOfText(
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
)
const VOUCHER_TYPE = hashOfText('Voucher(bytes32 channelId,uint128 maxClaimableAmount)')
const ENTRY = 'ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)'
const ENTRY_TYPE = hashOfText(ENTRY)
const BATCH_TYPE = hashOfText(`ClaimBatch(ClaimEntry[] claims)${ENTRY}`)
const NAME = hashOfText('x402 Batch Settlement')
const VERSION = hashOfText('1')

/** EIP-712: what is signed of a struct on this chain. */
function digest(chainId: number, struct: Uint8Array): Uint8Array {
  const domain = hashOf(DOMAIN_TYPE, NAME, VERSION, integerWord(chainId), addressWord(CHANNELS))
  return hashOf('1901', domain.toHex(), struct.toHex())
}

/** The id of a channel on a chain. */
export function channelIdOf(chainId: number, config: ChannelConfig): Hex {
  const struct = hashOf(
    CONFIG_TYPE,
    addressWord(config.payer),
    addressWord(config.payerAuthorizer),
    addressWord(config.receiver),
    addressWord(config.receiverAuthorizer),
    addressWord(config.token),
    integerWord(config.withdrawDelay),
    bytesWord(config.salt),
  )
  return hashFrom(`0x${digest(chainId, struct).toHex()}`)
}

/** The 32 bytes that a payer signs for a voucher. */
export function voucherDigest(
  chainId: number,
  { channelId, maxClaimable }: Pick<Voucher, 'channelId' | 'maxClaimable'>,
): Uint8Array {
  return digest(chainId, hashOf(VOUCHER_TYPE, bytesWord(channelId), integerWord(maxClaimable)))
}

/** The 32 bytes that a receiver's authorizer signs for a batch of claims. */
export function claimsDigest(
  chainId: number,
  claims: readonly Pick<VoucherClaim, 'channelId' | 'maxClaimable' | 'totalClaimed'>[],
): Uint8Array {
  const entries = claims.map((claim) =>
    hashOf(
      ENTRY_TYPE,
      bytesWord(claim.channelId),
      integerWord(claim.maxClaimable),
      integerWord(claim.totalClaimed),
    ).toHex(),
  )
  return digest(chainId, hashOf(BATCH_TYPE, hashOf(...entries).toHex()))
}

/** The nonce of a deposit's EIP-3009 authorization, which commits it to its channel. */
export function depositNonce(channelId: Hex, salt: Hex): Hex {
  return hashFrom(`0x${hashOf(bytesWord(channelId), bytesWord(salt)).toHex()}`)
}

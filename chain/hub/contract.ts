import {
  encodeFunctionData,
  hexToString,
  type Log,
  type PublicClient,
  parseAbi,
  parseEventLogs,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import type { InvoiceId, MerchantId } from '../../core/ids.ts'
import { uuidToBytes16 } from '../../core/invoice/deposit.ts'
import { type BaseUnits, baseUnits } from '../../core/money.ts'

/** The hub's interface, and the calls and events of it that this system uses. See contracts/. */

export const HUB_ABI = parseAbi([
  'constructor(address owner_, address configSigner_, address refundSigner_, address feeCollector_, bytes32 environment_)',
  'struct MerchantConfig { bytes16 merchantId; address treasury; uint16 feeBps; uint48 feeCap; uint32 version; }',
  'struct Sweep { bytes16 merchantId; bytes16 invoiceId; address recipient; uint256 maxFee; address token; uint256 amount; uint256 fee; uint32 version; }',
  'struct Authorization { address from; bytes16 merchantId; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; uint8 v; bytes32 r; bytes32 s; }',
  'struct WalletAuthorization { address from; bytes16 merchantId; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; bytes signature; }',
  'struct Distribution { bytes16 merchantId; uint32 version; }',
  'struct Refund { bytes32 refundId; address source; address token; address to; uint256 amount; uint256 deadline; }',
  'struct DepositRefund { bytes16 merchantId; bytes16 invoiceId; address recipient; uint256 maxFee; Refund refund; bytes signature; }',
  'struct ForwarderRescue { bytes16 merchantId; Refund refund; bytes signature; }',
  'function forwarderImplementation() view returns (address)',
  'function environment() view returns (bytes32)',
  'function owner() view returns (address)',
  'function pendingOwner() view returns (address)',
  'function configSigner() view returns (address)',
  'function refundSigner() view returns (address)',
  'function feeCollector() view returns (address)',
  'function isOperator(address operator) view returns (bool)',
  'function merchants(bytes16 merchantId) view returns (address treasury, uint16 feeBps, uint48 feeCap, uint32 version)',
  'function configure(MerchantConfig[] configs, bytes[] signatures)',
  'function sweep(Sweep[] items)',
  'function depositAddress(bytes16 merchantId, bytes16 invoiceId, address recipient, uint256 maxFee) view returns (address)',
  'function feeLeft(address deposit) view returns (uint256)',
  'function forwarderAddress(bytes16 merchantId) view returns (address)',
  'function deployForwarder(bytes16 merchantId) returns (address)',
  'function settle(address token, Authorization[] items, Distribution[] distributions)',
  'function settleWallets(address token, WalletAuthorization[] items, uint256 itemGas, Distribution[] distributions)',
  'function distribute(address token, Distribution[] distributions)',
  'function refund(DepositRefund[] items)',
  'function rescue(ForwarderRescue[] items)',
  'function isRefundSpent(bytes32 refundId) view returns (bool)',
  'function transferOwnership(address newOwner)',
  'function acceptOwnership()',
  'function setOperator(address operator, bool allowed)',
  'function setConfigSigner(address signer)',
  'function setRefundSigner(address signer)',
  'function setFeeCollector(address collector)',
  'event MerchantConfigured(bytes16 indexed merchantId, address treasury, uint16 feeBps, uint48 feeCap, uint32 version)',
  'event ConfigureFailed(bytes16 indexed merchantId, uint32 version, bytes reason)',
  'event Swept(address indexed deposit, address indexed token, address recipient, uint256 remitted, uint256 fee)',
  'event FeeOwed(address indexed deposit, address indexed token, uint256 amount)',
  'event SweepFailed(address indexed deposit, address indexed token, bytes reason)',
  'event ForwarderDeployed(bytes16 indexed merchantId, address forwarder)',
  'event AuthorizationFailed(address indexed token, address indexed from, bytes32 indexed nonce, bytes reason)',
  'event Distributed(bytes16 indexed merchantId, address indexed token, address treasury, uint256 remitted, uint256 fee)',
  'event DistributeFailed(bytes16 indexed merchantId, address indexed token, bytes reason)',
  'event Refunded(bytes32 indexed refundId, address indexed source, address indexed token, address to, uint256 amount)',
  'event RefundFailed(bytes32 indexed refundId, bytes reason)',
])

/** What the hub on a chain was set up with. */
export interface HubRoles {
  readonly owner: Address
  readonly configSigner: Address
  readonly refundSigner: Address
  readonly feeCollector: Address
  /** "sandbox" or "live". */
  readonly environment: string
}

/** Reads the hub's roles; null when there is no contract at that address. */
export async function readHub(client: PublicClient, hub: Address): Promise<HubRoles | null> {
  const code = await client.getCode({ address: hub })
  if (code === undefined || code === '0x') return null
  const read = { address: hub, abi: HUB_ABI } as const
  const [owner, configSigner, refundSigner, feeCollector, environment] = await Promise.all([
    client.readContract({ ...read, functionName: 'owner' }),
    client.readContract({ ...read, functionName: 'configSigner' }),
    client.readContract({ ...read, functionName: 'refundSigner' }),
    client.readContract({ ...read, functionName: 'feeCollector' }),
    client.readContract({ ...read, functionName: 'environment' }),
  ])
  return {
    owner: lowerCaseAddress(owner),
    configSigner: lowerCaseAddress(configSigner),
    refundSigner: lowerCaseAddress(refundSigner),
    feeCollector: lowerCaseAddress(feeCollector),
    environment: hexToString(environment, { size: 32 }),
  }
}

/** Whether the hub lets this account sweep. */
export function isOperator(client: PublicClient, hub: Address, account: Address): Promise<boolean> {
  return client.readContract({
    address: hub,
    abi: HUB_ABI,
    functionName: 'isOperator',
    args: [account],
  })
}

/** A merchant's entry in the on-chain registry. */
export interface MerchantConfig {
  readonly merchantId: MerchantId
  readonly treasury: Address
  readonly feeBps: number
  readonly feeCap: BaseUnits
  /** Only a higher version than the hub's is accepted. */
  readonly version: number
}

/** Reads a merchant's registry entry; version 0 when there is none. */
export async function readMerchant(
  client: PublicClient,
  hub: Address,
  merchantId: MerchantId,
): Promise<MerchantConfig> {
  const [treasury, feeBps, feeCap, version] = await client.readContract({
    address: hub,
    abi: HUB_ABI,
    functionName: 'merchants',
    args: [uuidToBytes16(merchantId)],
  })
  return {
    merchantId,
    treasury: lowerCaseAddress(treasury),
    feeBps,
    feeCap: baseUnits(BigInt(feeCap)),
    version,
  }
}

const MERCHANT_CONFIG_TYPES = {
  MerchantConfig: [
    { name: 'merchantId', type: 'bytes16' },
    { name: 'treasury', type: 'address' },
    { name: 'feeBps', type: 'uint16' },
    { name: 'feeCap', type: 'uint48' },
    { name: 'version', type: 'uint32' },
  ],
} as const

const REFUND_TYPES = {
  Refund: [
    { name: 'refundId', type: 'bytes32' },
    { name: 'source', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** EIP-712. The domain names no chain: one signature is good for the same hub on every chain. */
export function signMerchantConfig(
  signerKey: Hex,
  hub: Address,
  config: MerchantConfig,
): Promise<Hex> {
  return privateKeyToAccount(signerKey).signTypedData({
    domain: { name: 'Remit Hub', version: '1', verifyingContract: hub },
    types: MERCHANT_CONFIG_TYPES,
    primaryType: 'MerchantConfig',
    message: configStruct(config),
  })
}

export interface RefundOrder {
  readonly refundId: Hex
  /** The deposit address or forwarder that pays. */
  readonly source: Address
  readonly token: Address
  readonly to: Address
  readonly amount: BaseUnits
  /** Unix seconds after which the hub refuses. */
  readonly deadline: bigint
}

/** EIP-712. The domain names the chain: a refund is good for one chain only. */
export function signRefund(
  signerKey: Hex,
  hub: Address,
  chainId: number,
  refund: RefundOrder,
): Promise<Hex> {
  return privateKeyToAccount(signerKey).signTypedData({
    domain: { name: 'Remit Hub', version: '1', chainId, verifyingContract: hub },
    types: REFUND_TYPES,
    primaryType: 'Refund',
    message: refund,
  })
}

/** The call that carries registry entries, each with its signature. */
export function encodeConfigure(
  entries: readonly { readonly config: MerchantConfig; readonly signature: Hex }[],
): Hex {
  return encodeFunctionData({
    abi: HUB_ABI,
    functionName: 'configure',
    args: [
      entries.map(({ config }) => configStruct(config)),
      entries.map(({ signature }) => signature),
    ],
  })
}

/** One deposit's sweep: `amount` leaves it, `fee` of that to the collector. In base units. */
export interface SweepCall {
  readonly merchantId: MerchantId
  readonly invoiceId: InvoiceId
  /** The recipient that the deposit address commits to; null pays the registry's treasury. */
  readonly recipient: Address | null
  readonly feeCap: BaseUnits
  readonly token: Address
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  /** The registry version that the hub must have; 0 with a recipient of the invoice's own. */
  readonly version: number
}

export function encodeSweep(sweeps: readonly SweepCall[]): Hex {
  const items = sweeps.map((sweep) => ({
    merchantId: uuidToBytes16(sweep.merchantId),
    invoiceId: uuidToBytes16(sweep.invoiceId),
    recipient: sweep.recipient ?? ZERO_ADDRESS,
    maxFee: sweep.feeCap,
    token: sweep.token,
    amount: sweep.amount,
    fee: sweep.fee,
    version: sweep.version,
  }))
  return encodeFunctionData({ abi: HUB_ABI, functionName: 'sweep', args: [items] })
}

/** The events of this hub among a receipt's logs. Logs of other contracts prove nothing. */
export function hubEvents(hub: Address, logs: readonly Log[]) {
  const own = logs.filter((log) => log.address.toLowerCase() === hub)
  return parseEventLogs({ abi: HUB_ABI, logs: own, strict: true })
}

export interface SweptEvent {
  readonly txHash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly recipient: Address
  readonly remitted: bigint
  readonly fee: bigint
}

/** Every sweep of one token out of one deposit within the blocks, whoever sent it. */
export async function sweptEvents(
  client: PublicClient,
  hub: Address,
  from: { readonly deposit: Address; readonly token: Address },
  fromBlock: bigint,
  toBlock: bigint,
): Promise<SweptEvent[]> {
  const logs = await client.getContractEvents({
    address: hub,
    abi: HUB_ABI,
    eventName: 'Swept',
    args: { deposit: from.deposit, token: from.token },
    fromBlock,
    toBlock,
    strict: true,
  })
  return logs.map((log) => ({
    txHash: log.transactionHash,
    block: log.blockNumber,
    blockHash: log.blockHash,
    recipient: lowerCaseAddress(log.args.recipient),
    remitted: log.args.remitted,
    fee: log.args.fee,
  }))
}

function configStruct(config: MerchantConfig) {
  return {
    merchantId: uuidToBytes16(config.merchantId),
    treasury: config.treasury,
    feeBps: config.feeBps,
    // uint48: up to 281 million of a token with six decimals, exact as a double.
    feeCap: Number(config.feeCap),
    version: config.version,
  }
}

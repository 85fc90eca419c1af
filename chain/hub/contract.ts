import { hexToString, type Log, type PublicClient, parseAbi, parseEventLogs } from 'viem'
import { type Address, lowerCaseAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import type { DepositTerms } from '../../core/invoice/deposit.ts'
import { hasCode } from '../accounts.ts'

/** The hub's interface, and what the hub on a chain was set up with. See contracts/. */

export const HUB_ABI = parseAbi([
  'constructor(address owner_, address configSigner_, address refundSigner_, address feeCollector_, bytes32 environment_)',
  'struct MerchantConfig { bytes16 merchantId; address treasury; uint16 feeBps; uint48 feeCap; uint32 version; }',
  'struct Sweep { bytes16 merchantId; bytes16 invoiceId; address recipient; uint256 maxFee; address token; uint256 amount; uint256 fee; uint32 version; }',
  'struct Authorization { address from; bytes16 merchantId; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; uint8 v; bytes32 r; bytes32 s; }',
  'struct WalletAuthorization { address from; bytes16 merchantId; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; bytes signature; }',
  'struct Distribution { bytes16 merchantId; uint32 version; }',
  'struct Refund { bytes32 refundId; address source; address token; address to; uint256 amount; uint256 deadline; }',
  'struct DepositRefund { bytes16 merchantId; bytes16 invoiceId; address recipient; uint256 maxFee; Refund refund; bytes signature; }',
  'function environment() view returns (bytes32)',
  'function owner() view returns (address)',
  'function configSigner() view returns (address)',
  'function refundSigner() view returns (address)',
  'function feeCollector() view returns (address)',
  'function isOperator(address operator) view returns (bool)',
  'function merchants(bytes16 merchantId) view returns (address treasury, uint16 feeBps, uint48 feeCap, uint32 version)',
  'function configure(MerchantConfig[] configs, bytes[] signatures)',
  'function sweep(Sweep[] items)',
  'function feeLeft(address deposit) view returns (uint256)',
  'function deployForwarder(bytes16 merchantId) returns (address)',
  'function settle(address token, Authorization[] items, Distribution[] distributions)',
  'function settleWallets(address token, WalletAuthorization[] items, uint256 itemGas, Distribution[] distributions)',
  'function distribute(address token, Distribution[] distributions)',
  'function refund(DepositRefund[] items)',
  'function isRefundSpent(bytes32 refundId) view returns (bool)',
  'function setOperator(address operator, bool allowed)',
  'event MerchantConfigured(bytes16 indexed merchantId, address treasury, uint16 feeBps, uint48 feeCap, uint32 version)',
  'event ConfigureFailed(bytes16 indexed merchantId, uint32 version, bytes reason)',
  'event Swept(address indexed deposit, address indexed token, address recipient, uint256 remitted, uint256 fee)',
  'event FeeOwed(address indexed deposit, address indexed token, uint256 amount)',
  'event SweepFailed(address indexed deposit, address indexed token, bytes reason)',
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
  if (!(await hasCode(client, hub))) return null
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

/** The events of this hub among a receipt's logs. Logs of other contracts prove nothing. */
export function hubEvents(hub: Address, logs: readonly Log[]) {
  const own = logs.filter((log) => log.address.toLowerCase() === hub)
  return parseEventLogs({ abi: HUB_ABI, logs: own, strict: true })
}

/** What a deposit address commits to, as the hub's calls take it. */
export function depositStruct({ merchantId, invoiceId, recipient, feeCap }: DepositTerms) {
  return {
    merchantId: uuidToBytes16(merchantId),
    invoiceId: uuidToBytes16(invoiceId),
    recipient: recipient ?? ZERO_ADDRESS,
    maxFee: feeCap,
  }
}

import { parseAbi } from 'viem'

/** The hub's interface, version 2. See contracts/src/interfaces/IRemitHub.sol. */

const STRUCTS = [
  'struct MerchantConfig { bytes16 merchantId; address treasury; uint16 feeBps; uint40 feeCap; uint32 version; }',
  'struct Sweep { bytes16 merchantId; bytes16 invoiceId; address recipient; uint256 maxFee; address token; uint256 amount; uint256 fee; uint256 leave; uint32 version; bool deploys; }',
  'struct Gas { uint256 item; uint256 fee; uint256 reserve; }',
  'struct Authorization { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; uint8 v; bytes32 r; bytes32 s; }',
  'struct WalletAuthorization { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; bytes signature; }',
  'struct PermitPayment { address token; address from; address to; uint256 permitted; uint256 amount; uint256 nonce; uint256 deadline; uint256 validAfter; bytes signature; bytes permit2612; }',
  'struct Distribution { bytes16 merchantId; uint32 version; }',
  'struct Refund { uint256 refundId; address source; address token; address to; uint256 amount; uint256 feeLeft; uint256 deadline; }',
  'struct DepositRefund { bytes16 merchantId; bytes16 invoiceId; address recipient; uint256 maxFee; Refund refund; bytes signature; }',
  'struct ForwarderRescue { bytes16 merchantId; Refund refund; bytes signature; }',
] as const

const MONEY = [
  'function sweep(Sweep[] items, Gas gas)',
  'function settle(address token, Authorization[] items, uint256 itemGas, Distribution[] distributions, Gas gas)',
  'function settleWallets(address token, WalletAuthorization[] items, uint256 itemGas, Distribution[] distributions, Gas gas)',
  'function settleUpto(PermitPayment[] items, uint256 itemGas)',
  'function settleExact(PermitPayment[] items, uint256 itemGas)',
  'function distribute(address token, Distribution[] distributions, Gas gas)',
  'function announceDistribution(bytes16 merchantId)',
  'function deployForwarder(bytes16 merchantId) returns (address)',
  'function refund(DepositRefund[] items, uint256 itemGas)',
  'function rescue(ForwarderRescue[] items, uint256 itemGas)',
] as const

const REGISTRY = [
  'function configure(MerchantConfig[] configs, bytes[] signatures)',
  'function veto(bytes16 merchantId)',
  'function setMerchant(MerchantConfig config)',
] as const

const GOVERNANCE = [
  'function propose(bytes call)',
  'function vetoProposal(bytes32 id)',
  'function vetoProposals()',
  'function setConfigSigner(address signer)',
  'function setRefundSigner(address signer)',
  'function setGuardian(address guardian)',
  'function setFeeCollector(address collector)',
  'function setOperator(address operator, bool allowed)',
  'function setToken(address token, bool listed, uint8 decimals, uint232 refundLimit)',
  'function setDelays(uint32 ownerDelay, uint32 configDelay)',
  'function transferOwnership(address newOwner)',
  'function acceptOwnership()',
  'function recover(address source, address token, address to, uint256 amount)',
  'function recoverCall(address clone, address target, bytes data)',
  'function approveRefund(bytes32 digest)',
  'function stop(uint8 what)',
  'function resume(uint8 what)',
] as const

const VIEWS = [
  'function environment() view returns (bytes32)',
  'function owner() view returns (address)',
  'function pendingOwner() view returns (address)',
  'function guardian() view returns (address)',
  'function configSigner() view returns (address)',
  'function refundSigner() view returns (address)',
  'function feeCollector() view returns (address)',
  'function stops() view returns (uint8)',
  'function ownerDelay() view returns (uint32)',
  'function configDelay() view returns (uint32)',
  'function forwarderImplementation() view returns (address)',
  'function isOperator(address operator) view returns (bool)',
  'function tokens(address token) view returns (bool listed, uint8 decimals, uint232 refundLimit)',
  'function refundRoom(address token) view returns (uint256)',
  'function isRefundSpent(uint256 refundId) view returns (bool)',
  'function isRefundApproved(bytes32 digest) view returns (bool)',
  'function feeLeft(address deposit) view returns (uint256)',
  'function feeHeld(address forwarder, address token) view returns (uint256)',
  'function merchants(bytes16 merchantId) view returns (address treasury, uint16 feeBps, uint40 feeCap, uint32 version, bool changing)',
  'function pendingChanges(bytes16 merchantId) view returns (address treasury, uint16 feeBps, uint40 feeCap, uint32 version, uint64 readyAt)',
  'function readyAt(bytes32 proposalId) view returns (uint64)',
  'function announcedAt(bytes16 merchantId) view returns (uint64)',
] as const

const EVENTS = [
  'event MerchantConfigured(bytes16 indexed merchantId, address treasury, uint16 feeBps, uint40 feeCap, uint32 version)',
  'event MerchantChangePending(bytes16 indexed merchantId, address treasury, uint16 feeBps, uint40 feeCap, uint32 version, uint64 readyAt)',
  'event MerchantChangeVetoed(bytes16 indexed merchantId, uint32 version)',
  'event ConfigureFailed(bytes16 indexed merchantId, uint32 version, bytes reason)',
  'event Swept(address indexed deposit, address token, uint256 remitted, uint256 fee)',
  'event FeeOwed(address indexed deposit, address indexed token, uint256 amount)',
  'event SweepFailed(address indexed deposit, address indexed token, bytes reason)',
  'event ForwarderDeployed(bytes16 indexed merchantId, address forwarder)',
  'event AuthorizationFailed(address indexed token, address indexed from, bytes32 indexed nonce, bytes reason)',
  'event PermitSettled(address indexed from, uint256 indexed nonce, address token, address to, uint256 amount)',
  'event PermitFailed(address indexed from, uint256 indexed nonce, bytes reason)',
  'event Distributed(bytes16 indexed merchantId, address indexed token, address treasury, uint256 remitted, uint256 fee)',
  'event DistributeFailed(bytes16 indexed merchantId, address indexed token, bytes reason)',
  'event DistributionAnnounced(bytes16 indexed merchantId, uint64 readyAt)',
  'event Refunded(uint256 indexed refundId, address indexed source, address indexed token, address to, uint256 amount)',
  'event RefundFailed(uint256 indexed refundId, bytes reason)',
  'event Proposed(bytes32 indexed id, bytes call, uint64 readyAt)',
  'event ProposalVetoed(bytes32 indexed id)',
  'event ProposalsVetoed(uint64 round)',
  'event ProposalExecuted(bytes32 indexed id)',
  'event RefundApproved(bytes32 indexed digest)',
  'event Stopped(uint8 what, address by)',
  'event Resumed(uint8 what)',
] as const

export const HUB_ABI = parseAbi([
  'constructor(address owner, bytes32 environment)',
  ...STRUCTS,
  ...MONEY,
  ...REGISTRY,
  ...GOVERNANCE,
  ...VIEWS,
  ...EVENTS,
])

/** The EIP-712 domain's name and version; the rest of it depends on what is signed. */
export const HUB_DOMAIN = { name: 'Remit Hub', version: '2' } as const

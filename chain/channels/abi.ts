import { parseAbi } from 'viem'

/** The contract of x402's channels, and Multicall3, as far as they are called here. */

const CONFIG =
  'struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }'
const VOUCHER = 'struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }'
const CLAIM = 'struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }'

export const CHANNELS_ABI = parseAbi([
  CONFIG,
  VOUCHER,
  CLAIM,
  'function deposit(ChannelConfig config, uint128 amount, address collector, bytes collectorData)',
  'function claimWithSignature(VoucherClaim[] claims, bytes signature)',
  'function settle(address receiver, address token)',
  'function refundWithSignature(ChannelConfig config, uint128 amount, uint256 nonce, bytes signature)',
  'function initiateWithdraw(ChannelConfig config, uint128 amount)',
  'function finalizeWithdraw(ChannelConfig config)',
  'function multicall(bytes[] calls) returns (bytes[])',
  'function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)',
  'function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)',
  'function refundNonce(bytes32 channelId) view returns (uint256)',
  'function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)',
  'event ChannelCreated(bytes32 indexed channelId, ChannelConfig config)',
  'event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance)',
  'event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed)',
  'event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount)',
  'event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount)',
  'event WithdrawInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizeAfter)',
  'event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount)',
  'error InvalidChannel()',
  'error InvalidSignature()',
  'error NotReceiverAuthorizer()',
  'error ClaimExceedsCeiling()',
  'error ClaimExceedsBalance()',
  'error WithdrawDelayOutOfRange()',
  'error DepositCollectionFailed()',
  'error InvalidRefundNonce()',
  'error ZeroRefund()',
  'error Error(string reason)',
])

export const MULTICALL_ABI = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] results)',
  'function getBlockNumber() view returns (uint256)',
])

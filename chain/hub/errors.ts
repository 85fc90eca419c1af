import { BaseError, decodeErrorResult, encodeErrorResult, parseAbi, size } from 'viem'
import { cleanText } from '../../core/base/text.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { HubWait } from '../../core/hub/stops.ts'

/** Why an item of a batch failed, as text. For display only: money is never decided by it. */

const ERRORS_ABI = parseAbi([
  'error Error(string message)',
  'error Panic(uint256 code)',
  'error NotOwner(address caller, address owner)',
  'error NotPendingOwner(address caller, address pendingOwner)',
  'error NotOperator(address caller)',
  'error NotHub(address caller, address hub)',
  'error ZeroAddress()',
  'error HubAsReceiver(address hub)',
  'error LengthMismatch(uint256 items, uint256 signatures)',
  'error ItemGasTooLow(uint256 available, uint256 needed)',
  'error BadSignature(address expected)',
  'error StaleVersion(uint32 given, uint32 newest)',
  'error VersionTooFarAhead(uint32 version, uint32 newest)',
  'error VersionNotSignable(uint32 version, uint32 highest)',
  'error MerchantChangePends(bytes16 merchantId, uint64 readyAt)',
  'error TreasuryIsForwarder(address treasury)',
  'error FeeRateAboveCap(uint16 feeBps, uint16 cap)',
  'error MerchantNotConfigured(bytes16 merchantId)',
  'error RegistryVersionMismatch(uint32 expected, uint32 current)',
  'error AmountIsZero()',
  'error FeeAboveCap(uint256 fee, uint256 cap)',
  'error FeeAboveAmount(uint256 fee, uint256 amount)',
  'error FeeNotAvailable(uint256 fee, uint256 left)',
  'error DepositHoldsLess(uint256 held, uint256 amount)',
  'error DepositLeavesLess(uint256 left, uint256 leave)',
  'error FeeGasTooLow(uint256 available, uint256 needed)',
  'error NotAToken(address token)',
  'error TokenNotListed(address token)',
  'error PayerHasCode(address from)',
  'error NothingToDistribute(uint256 held)',
  'error WrongSource(address given, address expected)',
  'error RefundExpired(uint256 deadline, uint256 time)',
  'error RefundSpent(uint256 refundId)',
  'error RefundLimitReached(uint256 amount, uint256 room)',
  'error IsStopped(uint8 what)',
  'error NotProposed(bytes32 id)',
  'error NotReady(bytes32 id, uint64 readyAt)',
  'error ProposalExpired(bytes32 id, uint64 expiredAt)',
  'error NotGuardian(address caller)',
  'error NotTreasury(address caller, address treasury)',
  'error DistributionNotAnnounced(bytes16 merchantId)',
  'error AmountNotPermitted(uint256 amount, uint256 permitted)',
  'error DecimalsTooMany(uint8 given, uint8 most)',
  'error DelayTooLong(uint32 given, uint32 longest)',
  'error DeploymentFailed()',
  'error NativeTransferFailed(uint256 held, uint256 amount)',
  'error NoChangePends(bytes16 merchantId)',
  'error NotDeployed(address clone)',
  'error PermitMalformed(uint256 length)',
  'error TargetNotAllowed(address target)',
  'error TransferRefused(address token, address to, uint256 amount)',
])

/**
 * Refusals that pass with time, or by an act of owner or guardian. A newer version of an entry at the hub, or
 * none near enough, means that a change of it is pending, was vetoed or is active by now.
 */
const WAITS: ReadonlyMap<string, HubWait> = new Map([
  ['IsStopped', 'stopped'],
  ['MerchantChangePends', 'merchant_change'],
  ['StaleVersion', 'merchant_change'],
  ['VersionTooFarAhead', 'merchant_change'],
  ['VersionNotSignable', 'merchant_change'],
  ['RefundLimitReached', 'refund_limit'],
])

/** How much of a token's own error message is kept. */
const TEXT_MAX = 200

/**
 * Reads the revert data of a failure event: the token's own sentence, or the hub's error by name with its
 * values. Unknown or clipped data is shown unchanged. A token's sentence is untrusted, so it is cleaned.
 */
export function explainRevert(data: Hex): string {
  if (size(data) === 0) return 'the call failed without a reason'
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS_ABI, data })
    if (errorName === 'Error') return cleanText(args[0], TEXT_MAX)
    return `${errorName}(${(args ?? []).join(', ')})`
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return `revert data ${data.slice(0, TEXT_MAX)}`
  }
}

/**
 * What an item waits for that was refused with this revert data; null when it has failed. One that names an
 * older entry than the hub has waits until the ledger has read that, and has replaced an entry that was not
 * requested here.
 */
export function hubWaitIn(data: Hex): HubWait | null {
  const error = errorIn(data)
  if (error?.errorName === 'RegistryVersionMismatch') {
    const [named, current] = error.args
    return current > named ? 'merchant_change' : null
  }
  return WAITS.get(error?.errorName ?? '') ?? null
}

/** The error by name that this revert data carries; null when it is unknown. */
export function errorNameIn(data: Hex): string | null {
  return errorIn(data)?.errorName ?? null
}

/** The error with its values that this revert data carries; null when it is unknown. */
export function errorIn(data: Hex) {
  try {
    return decodeErrorResult({ abi: ERRORS_ABI, data })
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return null
  }
}

/**
 * Whether the hub refused a payer for its code. A token that reverts with the hub's own error makes no
 * difference: its payers then travel with the wallets, too.
 */
export function isPayerWithCode(data: Hex, payer: Address): boolean {
  const expected = encodeErrorResult({ abi: ERRORS_ABI, errorName: 'PayerHasCode', args: [payer] })
  return data.toLowerCase() === expected.toLowerCase()
}

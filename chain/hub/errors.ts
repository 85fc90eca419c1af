import { BaseError, decodeErrorResult, parseAbi, size } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'

/** Why an item of a batch failed, in words. For people only: money is never decided by it. */

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
  'error WrongSigner(address recovered, address expected)',
  'error StaleVersion(uint32 given, uint32 current)',
  'error FeeRateAboveCap(uint16 feeBps, uint16 cap)',
  'error MerchantNotConfigured(bytes16 merchantId)',
  'error RegistryVersionMismatch(uint32 expected, uint32 current)',
  'error AmountIsZero()',
  'error FeeAboveCap(uint256 fee, uint256 cap)',
  'error FeeAboveAmount(uint256 fee, uint256 amount)',
  'error FeeNotAvailable(uint256 fee, uint256 left)',
  'error DepositHoldsLess(uint256 held, uint256 amount)',
  'error NotAToken(address token)',
  'error NothingToDistribute(uint256 held)',
  'error WrongSource(address given, address expected)',
  'error RefundExpired(uint256 deadline, uint256 time)',
  'error RefundSpent(bytes32 refundId)',
  'error TransferRefused(address token, address to, uint256 amount)',
])

/** How much of a token's own error message is kept. */
const TEXT_MAX = 200

/**
 * Reads the revert data of a failure event: the token's own sentence, or the hub's error by name
 * with its values. Data that nobody here knows, or that was clipped, is shown as it is.
 */
export function explainRevert(data: Hex): string {
  if (size(data) === 0) return 'the call failed without a reason'
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS_ABI, data })
    if (errorName === 'Error') return args[0].slice(0, TEXT_MAX)
    return `${errorName}(${(args ?? []).join(', ')})`
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return `revert data ${data.slice(0, TEXT_MAX)}`
  }
}
